// Sends a log to a Hitstop that listens (`hitstop listen`, or Listen in the window). HitstopRecorder.cs uses it for a path like
// tcp:127.0.0.1:9740. No Unity in it, so that other programs in C# can use it, too.
//
// Frames are sent by a thread of its own, so that the game never waits for the viewer, which may come and go. While there is none the thread
// looks for one every second; one that connects gets the objects and the latest frames. For a viewer that is too slow the oldest frames
// are dropped, and it shows a gap. `report` gets that, and each new error of a viewer, as a text; in Unity it calls Debug.LogError.

using System;
using System.Collections.Generic;
using System.Net.Sockets;
using System.Text;
using System.Threading;

public sealed class HitstopLive : IDisposable
{
    const int Limit = 16 << 20;
    static readonly TimeSpan Again = TimeSpan.FromSeconds(1);
    static readonly TimeSpan Last = TimeSpan.FromSeconds(2);

    struct Line
    {
        public string Objects, Frame;
        public int Size => Objects.Length + Frame.Length;
    }

    readonly string host;
    readonly int port;
    readonly Action<string> report;
    readonly Thread thread;
    readonly Queue<Line> queue = new Queue<Line>();
    /// The header and the objects of frames that are no longer in the queue.
    readonly StringBuilder objects = new StringBuilder();
    int size;
    bool ended;
    TcpClient client;
    string answer;

    /// True while a viewer is connected.
    public bool Connected { get; private set; }
    /// Number of frames that were dropped because the viewer was too slow.
    public int Dropped { get; private set; }

    /// To a viewer at `host:port`. `report` may be called by another thread; without it texts go to the error output.
    public HitstopLive(string address, Action<string> report = null)
    {
        this.report = report ?? (text => Console.Error.WriteLine("hitstop: " + text));
        var colon = address.LastIndexOf(':');
        host = address.Substring(0, colon);
        port = int.Parse(address.Substring(colon + 1));
        thread = new Thread(Run) { IsBackground = true, Name = "Hitstop live" };
        thread.Start();
    }

    /// Adds a frame, and the line of the objects before it, or an empty text.
    public void Write(string objects, string frame)
    {
        bool isFirst;
        lock (queue)
        {
            var before = Dropped;
            var line = new Line { Objects = objects, Frame = frame };
            queue.Enqueue(line);
            size += line.Size;
            while (size > Limit && queue.Count > 1)
            {
                Take();
                if (Connected) Dropped++;
            }
            isFirst = before == 0 && Dropped > 0;
            Monitor.Pulse(queue);
        }
        if (isFirst) report("the viewer is too slow, so frames are dropped; to keep all of them, record to a file");
    }

    /// Ends the recording; waits up to two seconds for what is not sent yet.
    public void Dispose()
    {
        lock (queue)
        {
            ended = true;
            Monitor.Pulse(queue);
        }
        if (!thread.Join(Last)) client?.Close();
        if (Dropped > 0) report(Dropped + " frames were dropped, as the viewer was too slow; to keep all of them, record to a file");
    }

    Line Take()
    {
        var line = queue.Dequeue();
        size -= line.Size;
        objects.Append(line.Objects);
        return line;
    }

    void Run()
    {
        while (true)
        {
            var begun = DateTime.UtcNow;
            try
            {
                using (client = new TcpClient { NoDelay = true })
                {
                    client.Connect(host, port);
                    SendAll(client.GetStream());
                }
                return;
            }
            catch (Exception error) when (error is SocketException || error is System.IO.IOException || error is ObjectDisposedException)
            {
            }
            lock (queue)
            {
                Connected = false;
                var wait = begun + Again - DateTime.UtcNow;
                while (!ended && wait > TimeSpan.Zero)
                {
                    Monitor.Wait(queue, wait);
                    wait = begun + Again - DateTime.UtcNow;
                }
                if (ended) return;
            }
        }
    }

    /// Reads the error line of a viewer, after which it closes the connection, and reports it once.
    void ReadAnswer(NetworkStream stream)
    {
        var bytes = new byte[1024];
        stream.ReadTimeout = 1000;
        var count = stream.Read(bytes, 0, bytes.Length);
        if (count == 0) throw new System.IO.IOException();
        var text = Encoding.UTF8.GetString(bytes, 0, count).Trim();
        const string begin = "{\"error\":\"";
        if (text.StartsWith(begin)) text = text.Substring(begin.Length).TrimEnd('}', '"');
        if (text != answer) report("the viewer answers: " + text);
        answer = text;
    }

    void SendAll(NetworkStream stream)
    {
        string text;
        int sent;
        lock (queue)
        {
            Connected = true;
            text = objects.ToString();
            sent = objects.Length;
        }
        while (true)
        {
            var bytes = Encoding.UTF8.GetBytes(text);
            if (client.Client.Poll(0, SelectMode.SelectRead)) ReadAnswer(stream);
            stream.Write(bytes, 0, bytes.Length);
            lock (queue)
            {
                while (queue.Count == 0 && !ended) Monitor.Wait(queue);
                if (queue.Count == 0) return;
                // With the objects of frames that were dropped meanwhile.
                var line = Take();
                text = objects.ToString(sent, objects.Length - sent) + line.Frame;
                sent = objects.Length;
            }
        }
    }
}
