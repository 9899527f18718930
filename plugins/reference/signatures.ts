// The section about the signatures of webhooks, with a verification in five languages. Tests run each of them.
import { html } from '../../core/unstable.ts';
import type { PanelForm } from './panels.ts';

const javascript = `import { verifyWebhook } from 'postrider/webhooks';

const bytes = express.raw({ type: '*/*' });

app.post('/webhooks', bytes, (request, response) => {
  // Throws if the signature is not genuine.
  const event = verifyWebhook({
    body: request.body,
    headers: request.headers,
    secret: process.env.WEBHOOK_SECRET,
  });
  response.sendStatus(204);
});`;

const python = `import base64, hashlib, hmac, time

def is_genuine(headers, body, secret):
    """headers by their names in lower case, body as the bytes that arrived"""
    sent = headers["webhook-timestamp"]
    if abs(time.time() - int(sent)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f'{headers["webhook-id"]}.{sent}.'.encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    given = headers["webhook-signature"].encode().split(b" ")
    return any(hmac.compare_digest(expected, one) for one in given)`;

const php = `function is_genuine(array $headers, string $body, string $secret): bool
{
    // $headers by their names in lower case, $body as it arrived: file_get_contents('php://input')
    $sent = $headers['webhook-timestamp'];
    if (abs(time() - (int) $sent) > 300) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $signed = "{$headers['webhook-id']}.{$sent}.{$body}";
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $headers['webhook-signature']) as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}`;

const ruby = `require "openssl"

# headers by their names in lower case, body as it arrived
def genuine?(headers, body, secret)
  sent = headers["webhook-timestamp"]
  return false if (Time.now.to_i - sent.to_i).abs > 300
  key = secret.delete_prefix("whsec_").unpack1("m")
  signed = "#{headers["webhook-id"]}.#{sent}.#{body}"
  expected = "v1," + [OpenSSL::HMAC.digest("SHA256", key, signed)].pack("m0")
  headers["webhook-signature"].split(" ").any? do |one|
    OpenSSL.secure_compare(expected, one)
  end
end`;

const go = `import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// body as it arrived: io.ReadAll(request.Body)
func isGenuine(header http.Header, body []byte, secret string) bool {
	sent := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if err != nil || math.Abs(time.Since(time.Unix(seconds, 0)).Seconds()) > 300 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header.Get("webhook-id") + "." + sent + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, one := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(expected), []byte(one)) {
			return true
		}
	}
	return false
}`;

/** The verification in each language. */
export const signatureForms: readonly PanelForm[] = [
  { title: 'JavaScript', code: javascript, language: 'js' },
  { title: 'Python', code: python, language: 'other' },
  { title: 'PHP', code: php, language: 'other' },
  { title: 'Ruby', code: ruby, language: 'other' },
  { title: 'Go', code: go, language: 'other' },
];

/** The text of the section. */
export const signatureText = html`<p>Every webhook is signed with the secret of its subscription (<code>whsec_…</code>), which <a href="#webhooks.create">creating it</a> returns only once. Verify the signature before you trust a body: anybody can post to your URL.</p>
<p>The header <code>webhook-signature</code> is an HMAC-SHA256 over <code>webhook-id.webhook-timestamp.body</code>, in base64, as <a href="https://www.standardwebhooks.com">Standard Webhooks</a> specifies: its libraries, and those of Svix, verify it as well. The key is the bytes that the text after <code>whsec_</code> encodes in base64. While a secret is rotated, the header contains two signatures, separated by a space. It is enough if one of them matches.</p>
<p>Verify the bytes as they arrived, before any JSON parser; refuse timestamps that are more than 300 seconds away; compare in constant time.</p>`;
