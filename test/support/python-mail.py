# Reads messages from the standard input with Python's email package, each after a line with its size in bytes, and prints what
# each says as a line of JSON.
import email, json, sys
from email import policy
from email.header import decode_header, make_header
from email.utils import getaddresses

def mailbox(header):
    if header is None:
        return None
    [(name, address)] = getaddresses([str(header).replace("\r", "").replace("\n", "")])
    return {"name": str(make_header(decode_header(name))), "email": address}

def read(raw):
    message = email.message_from_bytes(raw, policy=policy.default)
    # Names by the older functions: the newer ones of some versions put a space between two encoded words.
    plain = email.message_from_bytes(raw, policy=policy.compat32)
    return {
        "subject": None if message["subject"] is None else str(message["subject"]),
        "from": mailbox(plain["from"]),
        "to": mailbox(plain["to"]),
        "replyTo": mailbox(plain["reply-to"]),
        "messageId": (plain["message-id"] or "").strip(),
        "headers": {key.lower(): str(value) for key, value in message.items()},
        "files": [
            {"name": part.get_filename(), "type": part.get_content_type(), "method": part.get_param("method"), "charset": part.get_param("charset")}
            for part in message.walk() if part.get_content_disposition() == "attachment"
        ],
    }

while size := sys.stdin.buffer.readline():
    print(json.dumps(read(sys.stdin.buffer.read(int(size)))), flush=True)
