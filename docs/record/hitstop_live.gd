## Sends a log to a Hitstop that listens, for hitstop_recorder.gd: keep both files in one folder. The game never waits for the viewer, which may come and
## go; for one that is too slow the oldest frames are dropped.
extends RefCounted

## Bytes of lines that may wait for a viewer, and the time between two attempts to connect.
const LIMIT := 16 << 20
const AGAIN := 1000
## Longest time that a frame of the game spends on sending, in microseconds.
const SPEND := 2000

## Number of frames that were dropped because the viewer was too slow.
var dropped := 0

var _address: String
var _peer := StreamPeerTCP.new()
var _again := 0
var _is_connected := false
var _answer := ""
## The header, and the objects that were sent, for the next viewer.
var _objects := ""
## What the viewer has not taken yet: texts of lines, each with whether it is a frame. The rest of the line that is being sent.
var _queue: Array[Array] = []
var _queue_size := 0
var _sending := PackedByteArray()


## The address is like 127.0.0.1:9740.
func _init(address: String) -> void:
	_address = address


## Sends what is left, for up to two seconds.
func close() -> void:
	var end := Time.get_ticks_msec() + 2000
	while not (_queue.is_empty() and _sending.is_empty()) and Time.get_ticks_msec() < end and send():
		OS.delay_msec(5)
	_peer.disconnect_from_host()
	if dropped > 0:
		push_warning("Hitstop: %d frames were dropped, as the viewer was too slow; to keep all of them, record to a file" % dropped)


## Adds a line for the viewer; drops the oldest frames beyond the limit. Objects stay.
func push(line: String, is_frame: bool) -> void:
	if line.is_empty():
		return
	_queue.append([line, is_frame])
	_queue_size += line.length()
	var oldest := 0
	while _queue_size > LIMIT and oldest + 1 < _queue.size():
		if _queue[oldest][1]:
			_queue_size -= (_queue.pop_at(oldest)[0] as String).length()
			if not _is_connected:
				continue
			if dropped == 0:
				push_warning("Hitstop: the viewer is too slow, so frames are dropped; to keep all of them, record to a file")
			dropped += 1
		else:
			oldest += 1


## Reads the error line of a viewer, after which it closes the connection, and reports it once.
func _read_answer() -> void:
	var line := _peer.get_utf8_string(_peer.get_available_bytes())
	var value: Variant = JSON.parse_string(line)
	var answer: String = str((value as Dictionary).get("error", "")) if value is Dictionary else ""
	if not answer.is_empty() and answer != _answer:
		_answer = answer
		push_error("Hitstop: the viewer answers: %s" % answer)
	_peer.disconnect_from_host()
	_again = Time.get_ticks_msec() + AGAIN


## Sends what the viewer takes at once; false while there is none.
func send() -> bool:
	_peer.poll()
	if _peer.get_status() == StreamPeerTCP.STATUS_CONNECTED and _peer.get_available_bytes() > 0:
		_read_answer()
	if _peer.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		_is_connected = false
		if _peer.get_status() != StreamPeerTCP.STATUS_CONNECTING and Time.get_ticks_msec() >= _again:
			_again = Time.get_ticks_msec() + AGAIN
			_peer.disconnect_from_host()
			var colon := _address.rfind(":")
			_peer.connect_to_host(_address.left(colon), _address.substr(colon + 1).to_int())
		return false
	if not _is_connected:
		_is_connected = true
		# A new viewer gets the objects first.
		_sending = _objects.to_utf8_buffer()
	var end := Time.get_ticks_usec() + SPEND
	while Time.get_ticks_usec() < end:
		if _sending.is_empty():
			if _queue.is_empty():
				return true
			var line: Array = _queue.pop_front()
			_queue_size -= (line[0] as String).length()
			if not line[1]:
				_objects += line[0]
			_sending = (line[0] as String).to_utf8_buffer()
		var sent: Array = _peer.put_partial_data(_sending)
		if sent[0] != OK or sent[1] == 0:
			return true
		_sending = _sending.slice(sent[1])
	return true
