// Sends a log to a Hitstop that listens (`hitstop listen`, or Listen in the window). C++11, beside hitstop.hpp.
//
//     hitstop::LiveOutput viewer;                      // or viewer("127.0.0.1", 9740)
//     hitstop::Recorder log(viewer, header);
//
// Frames are sent by a thread of its own, so that the program never waits for the viewer, which may come and go. While there is none the
// thread looks for one every second; one that connects gets the objects and the latest frames. For a viewer that is too slow the oldest
// frames are dropped, and it shows a gap; `dropped()` counts them. That, and each new error of a viewer, is written to std::cerr. The
// destructor waits up to two seconds for what is not sent yet.
//
// On Windows link ws2_32, elsewhere pthread. Include it before <windows.h>.
#pragma once

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <cerrno>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#endif

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <iostream>
#include <mutex>
#include <ostream>
#include <streambuf>
#include <string>
#include <thread>
#include <utility>

namespace hitstop {

/// A TCP connection that never waits longer than it is given.
class Connection {
public:
    Connection() {
#ifdef _WIN32
        WSADATA data;
        WSAStartup(MAKEWORD(2, 2), &data);
#endif
    }

    ~Connection() {
        close();
#ifdef _WIN32
        WSACleanup();
#endif
    }

    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    bool open(const std::string &host, uint16_t port, int milliseconds) {
        addrinfo wanted = addrinfo();
        wanted.ai_socktype = SOCK_STREAM;
        addrinfo *found = nullptr;
        if (getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0) return false;
        bool connected = false;
        for (const addrinfo *to = found; to && !connected; to = to->ai_next) {
            socket_ = ::socket(to->ai_family, to->ai_socktype, to->ai_protocol);
            connected = socket_ != none() && begin(to) && wait(milliseconds) && error() == 0;
            if (!connected) close();
        }
        freeaddrinfo(found);
        return connected;
    }

    void close() {
        if (socket_ == none()) return;
#ifdef _WIN32
        closesocket(socket_);
#else
        ::close(socket_);
#endif
        socket_ = none();
    }

    /// The number of bytes that were sent, 0 if the viewer takes none at present, below 0 if it is gone.
    int send(const char *data, size_t size) {
        int flags = 0;
#ifdef MSG_NOSIGNAL
        flags = MSG_NOSIGNAL;
#endif
        int sent = static_cast<int>(::send(socket_, data, size < (1u << 20) ? static_cast<int>(size) : 1 << 20, flags));
        if (sent >= 0) return sent;
#ifdef _WIN32
        bool passing = WSAGetLastError() == WSAEWOULDBLOCK;
#else
        bool passing = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
#endif
        if (passing) wait(50);
        return passing ? 0 : -1;
    }

    /// Whether the viewer has sent something, or has closed the connection; `text` gets what it has sent.
    bool receive(std::string &text) {
        pollfd one = pollfd();
        one.fd = socket_;
        one.events = POLLIN;
#ifdef _WIN32
        if (WSAPoll(&one, 1, 0) <= 0) return false;
#else
        if (::poll(&one, 1, 0) <= 0) return false;
#endif
        char bytes[1024];
        int count = static_cast<int>(::recv(socket_, bytes, sizeof bytes, 0));
        if (count > 0) text.assign(bytes, static_cast<size_t>(count));
        return true;
    }

private:
#ifdef _WIN32
    typedef SOCKET Socket;
    static Socket none() { return INVALID_SOCKET; }
#else
    typedef int Socket;
    static Socket none() { return -1; }
#endif

    /// Begins to connect.
    bool begin(const addrinfo *to) {
        int on = 1;
        setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, reinterpret_cast<const char *>(&on), sizeof on);
#ifdef SO_NOSIGPIPE
        setsockopt(socket_, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
#ifdef _WIN32
        u_long nonblocking = 1;
        if (ioctlsocket(socket_, FIONBIO, &nonblocking) != 0) return false;
        return ::connect(socket_, to->ai_addr, static_cast<int>(to->ai_addrlen)) == 0 || WSAGetLastError() == WSAEWOULDBLOCK;
#else
        if (fcntl(socket_, F_SETFL, O_NONBLOCK) != 0) return false;
        return ::connect(socket_, to->ai_addr, to->ai_addrlen) == 0 || errno == EINPROGRESS;
#endif
    }

    /// Until it can be written.
    bool wait(int milliseconds) {
        pollfd one = pollfd();
        one.fd = socket_;
        one.events = POLLOUT;
#ifdef _WIN32
        return WSAPoll(&one, 1, milliseconds) > 0;
#else
        return ::poll(&one, 1, milliseconds) > 0;
#endif
    }

    int error() {
        int error = 0;
        socklen_t size = sizeof error;
        getsockopt(socket_, SOL_SOCKET, SO_ERROR, reinterpret_cast<char *>(&error), &size);
        return error;
    }

    Socket socket_ = none();
};

/// Takes lines, and sends them in a thread of its own.
class LiveBuffer : public std::streambuf {
public:
    LiveBuffer(std::string host, uint16_t port, size_t limit)
        : host_(std::move(host)), port_(port), limit_(limit), thread_([this] { run(); }) {}

    ~LiveBuffer() override {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            ended_ = true;
            end_ = Clock::now();
        }
        changed_.notify_one();
        thread_.join();
        if (dropped_ > 0)
            report(std::to_string(dropped_) +
                   " frames were dropped, as the viewer was too slow; to keep all of them, record to a file");
    }

    /// True while a viewer is connected.
    bool connected() const {
        std::lock_guard<std::mutex> lock(mutex_);
        return connected_;
    }

    /// Number of frames that were dropped because the viewer was too slow.
    uint64_t dropped() const {
        std::lock_guard<std::mutex> lock(mutex_);
        return dropped_;
    }

    /// The latest error of a viewer, or an empty text.
    std::string answer() const {
        std::lock_guard<std::mutex> lock(mutex_);
        return answer_;
    }

protected:
    std::streamsize xsputn(const char *text, std::streamsize size) override {
        line_.append(text, static_cast<size_t>(size));
        if (!line_.empty() && line_.back() == '\n') push();
        return size;
    }

    int_type overflow(int_type c) override {
        if (!traits_type::eq_int_type(c, traits_type::eof())) {
            char one = traits_type::to_char_type(c);
            xsputn(&one, 1);
        }
        return traits_type::not_eof(c);
    }

private:
    typedef std::chrono::steady_clock Clock;

    struct Line {
        std::string text;
        bool is_frame;
    };

    void push() {
        // Every line of the recorder is one of its writes.
        bool is_frame = line_.compare(0, 8, "{\"frame\"") == 0;
        bool is_first = false;
        {
            std::lock_guard<std::mutex> lock(mutex_);
            uint64_t before = dropped_;
            // Objects are never dropped.
            if (is_frame) size_ += line_.size();
            Line line = {std::move(line_), is_frame};
            queue_.push_back(std::move(line));
            while (size_ > limit_ && drop_frame()) {
            }
            is_first = before == 0 && dropped_ > 0;
        }
        if (is_first) report("the viewer is too slow, so frames are dropped; to keep all of them, record to a file");
        line_.clear();
        changed_.notify_one();
    }

    /// Drops the oldest frame; objects stay. False if there is only the newest line.
    bool drop_frame() {
        for (size_t i = 0; i + 1 < queue_.size(); ++i) {
            if (!queue_[i].is_frame) continue;
            size_ -= queue_[i].text.size();
            queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(i));
            dropped_ += connected_;
            return true;
        }
        return false;
    }

    void run() {
        const std::chrono::seconds again(1);
        for (;;) {
            Clock::time_point begun = Clock::now();
            Connection connection;
            bool complete = connection.open(host_, port_, 1000) && send_all(connection);
            std::unique_lock<std::mutex> lock(mutex_);
            connected_ = false;
            if (!complete) changed_.wait_until(lock, begun + again, [this] { return ended_; });
            if (complete || ended_) return;
        }
    }

    /// Sends the objects so far and every line to the end of the recording; false when the viewer is gone.
    bool send_all(Connection &connection) {
        std::string text;
        {
            std::lock_guard<std::mutex> lock(mutex_);
            connected_ = true;
            text = objects_;
        }
        for (;;) {
            if (!send(connection, text)) return false;
            std::unique_lock<std::mutex> lock(mutex_);
            changed_.wait(lock, [this] { return ended_ || !queue_.empty(); });
            if (queue_.empty()) return true;
            text = std::move(queue_.front().text);
            if (queue_.front().is_frame)
                size_ -= text.size();
            else
                objects_ += text;
            queue_.pop_front();
        }
    }

    bool send(Connection &connection, const std::string &text) {
        for (size_t at = 0; at < text.size();) {
            {
                std::lock_guard<std::mutex> lock(mutex_);
                if (ended_ && Clock::now() - end_ > std::chrono::seconds(2)) return false;
            }
            std::string error;
            if (connection.receive(error)) {
                take_answer(error);
                return false;
            }
            int sent = connection.send(text.data() + at, text.size() - at);
            if (sent < 0) return false;
            at += static_cast<size_t>(sent);
        }
        return true;
    }

    /// Reports a line `{"error": ".."}` once; the viewer closes the connection after it.
    void take_answer(const std::string &line) {
        size_t begin = line.find(":\""), end = line.rfind('"');
        if (begin == std::string::npos || end < begin + 2) return;
        std::string error = line.substr(begin + 2, end - begin - 2);
        {
            std::lock_guard<std::mutex> lock(mutex_);
            if (error == answer_) return;
            answer_ = error;
        }
        report("the viewer answers: " + error);
    }

    static void report(const std::string &text) { std::cerr << "hitstop: " + text + '\n'; }

    const std::string host_;
    const uint16_t port_;
    /// Bytes of lines that may wait.
    const size_t limit_;
    /// The line that is being written.
    std::string line_;

    mutable std::mutex mutex_;
    /// There are new lines, or the recording has ended.
    std::condition_variable changed_;
    /// The header and the objects that were sent, for the next viewer.
    std::string objects_;
    std::deque<Line> queue_;
    /// Bytes of the frames in it.
    size_t size_ = 0;
    uint64_t dropped_ = 0;
    std::string answer_;
    bool connected_ = false;
    bool ended_ = false;
    Clock::time_point end_;
    /// The last member, as it uses the others.
    std::thread thread_;
};

/// The output of a recorder that sends to a viewer.
class LiveOutput : private LiveBuffer, public std::ostream {
public:
    explicit LiveOutput(std::string host = "127.0.0.1", uint16_t port = 9740, size_t limit = 16u << 20)
        : LiveBuffer(std::move(host), port, limit), std::ostream(static_cast<std::streambuf *>(this)) {}

    using LiveBuffer::answer;
    using LiveBuffer::connected;
    using LiveBuffer::dropped;
};

}  // namespace hitstop
