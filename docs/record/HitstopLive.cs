// Sends a log to a Hitstop that listens (`hitstop listen`, or Listen in the window). HitstopRecorder.cs uses it for a path like
// tcp:127.0.0.1:9740. No Unity in it, so that other programs in C# can use it, too.
//
// Frames are sent by a thread of its own, so that the game never waits for the viewer, which may come and go. While there is none the thread
// looks for one every second; one that connects gets the objects and the latest frames. For a viewer that is too slow the oldest frames
// are dropped, and it shows a gap.

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
    readonly Thread thread;
    readonly Queue<Line> queue = new Queue<Line>();
    /// The header and the objects of frames that are no longer in the queue.
    readonly StringBuilder objects = new StringBuilder();
    int size;
    bool ended;
    TcpClient client;

    /// True while a viewer is connected.
    public bool Connected { get; private set; }
    /// Number of frames that were dropped because the viewer was too slow.
    public int Dropped { get; private set; }

    /// To a viewer at `host:port`.
    public HitstopLive(string address)
    {
        var colon = address.LastIndexOf(':');
        host = address.Substring(0, colon);
        port = int.Parse(address.Substring(colon + 1));
        thread = new Thread(Run) { IsBackground = true, Name = "Hitstop live" };
        thread.Start();
    }

    /// Adds a frame, and the line of the objects before it, or an empty text.
    public void Write(string objects, string frame)
    {
        lock (queue)
        {
            var line = new Line { Objects = objects, Frame = frame };
            queue.Enqueue(line);
            size += line.Size;
            while (size > Limit && queue.Count > 1)
            {
                Take();
                if (Connected) Dropped++;
            }
            Monitor.Pulse(queue);
        }
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
