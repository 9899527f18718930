# Reads a message from the standard input with Python's email package, and prints what it says as JSON.
import email, json, sys
from email import policy

message = email.message_from_bytes(sys.stdin.buffer.read(), policy=policy.default)

def mailbox(name):
    header = message[name]
    if header is None or len(header.addresses) != 1:
        return None
    one = header.addresses[0]
    return {"name": one.display_name, "email": one.addr_spec}

print(json.dumps({
    "subject": None if message["subject"] is None else str(message["subject"]),
    "from": mailbox("from"),
    "to": mailbox("to"),
    "replyTo": mailbox("reply-to"),
    "messageId": message["message-id"],
    "headers": {key.lower(): str(value) for key, value in message.items()},
    "files": [
        {"name": part.get_filename(), "type": part.get_content_type(), "method": part.get_param("method"), "charset": part.get_param("charset")}
        for part in message.walk() if part.get_content_disposition() == "attachment"
    ],
}))
