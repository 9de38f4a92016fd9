import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Messages from Pazar are shorter.
BODY_BYTES_MAX = 2_000_000


def is_genuine(secret, message_id, timestamp, signatures, body):
    """True if a signature matches and the message is at most five minutes old."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    if not key or not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    text = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(key, text, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    return any(hmac.compare_digest(expected, each.encode()) for each in signatures.split(" "))


class Receiver(BaseHTTPRequestHandler):
    def read_body(self):
        """Returns None if the body is too long."""
        if "Transfer-Encoding" not in self.headers:
            length = int(self.headers.get("Content-Length", 0))
            return self.rfile.read(length) if 0 <= length <= BODY_BYTES_MAX else None
        body, size = b"", -1
        while size != 0:
            size = int(self.rfile.readline(20), 16)
            if not 0 <= size <= BODY_BYTES_MAX - len(body):
                return None
            body += self.rfile.read(size)
            self.rfile.readline(20)
        return body

    def do_POST(self):
        body = self.read_body()
        message_id, timestamp, signatures = (
            self.headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")
        )
        secret = os.environ["WEBHOOK_SECRET"]
        if body is None:
            self.send_response(413)
        elif is_genuine(secret, message_id, timestamp, signatures, body):
            # Pazar may deliver a message twice: store its id and ignore duplicates.
            print(message_id, json.loads(body)["type"], flush=True)
            self.send_response(204)
        else:
            self.send_response(400)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
