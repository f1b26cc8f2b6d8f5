"""What the redactor leaves alone: code, prose, placeholders, references, numbers, names. Every line here must come out as it went in."""
from __future__ import annotations

import json

import pytest

import ail_mcp as ail

UNTOUCHED = {
    "code": r"""
password = os.environ["DB_PASSWORD"]
password: str
password?: string;
def login(user: str, password: str) -> bool:
password = getpass.getpass()
password: Annotated[str, Form()]
password = models.CharField(max_length=128)
"password": {"type": "string", "minLength": 8}
let password = prompt('Password?');
password = random_password.db.result
api_key: str | None = None
api_key=os.getenv("OPENAI_API_KEY")
apiKey: process.env.API_KEY!
const { apiKey } = config
const token = await getToken();
token := os.Getenv("TOKEN")
if (apiKey == "") { return err }
if token != expected_token:
access_token = f"access_{secrets.token_hex(16)}"
max_tokens=4096
prompt_tokens: 12842, completion_tokens: 391
pad_token = tokenizer.eos_token
"next_page_token": null
page_token: nextPageToken
cache_key = f"user:{user_id}"
"key": "ctrl+shift+p"
key=lambda x: x[1]
PRIMARY KEY (id)
secretKeyRef:
secrets.token_urlsafe(32)
auth = HTTPBasicAuth(user, pw)
headers["Authorization"] = f"Bearer {token}"
"Authorization": `Bearer ${token}`
Set-Cookie: theme=dark; Path=/
credentials: 'same-origin'
token.type == TokenType.IDENT
<input type="password" name="password" id="password" placeholder="Enter password">
ALTER TABLE users ADD COLUMN password_digest varchar(255);
API_KEY_HEADER = "X-API-Key"
ssl_certificate_key /etc/nginx/ssl/key.pem;
mysql -u root -p app
docker run -p 5432:5432 postgres
curl -u $USER:$PASS https://x.acme.dev
--password-file pw.txt --key ./key.pem --auth-type basic
assert user.password != raw_password
tokens = ["if", "else", "while"]
""",
    "prose": """
the secret to success is patience
password is required
Password must be at least 8 characters
the password is case-sensitive
password is hashed with bcrypt2
change the password to something strong
Enter password for user deploy:
Enter passphrase for key '/home/x/.ssh/id_rsa':
Permission denied (publickey,password).
The token: a unit of text the model reads.
token is expired since 2024-01-01
Bearer of bad news
Basic header is applied to every call
auth smoke: 3 failures
pass: 12 fail: 0
PASS: test_login_with_password
API key: not configured
password: ask Maria
wrong password: try again
username/password combination.
the key is under the mat
"passwordPlaceholder": "Enter your password"
"forgotPassword": "Forgot password?"
""",
    "placeholder": """
OPENAI_API_KEY=<YOUR_API_KEY>
GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
OPENAI_API_KEY=sk-...
use your sk-ant-... key
AKIA................
Bearer {token}
postgres://user:password@host:5432/db
https://{user}:{password}@host.test
redis://:$REDIS_PASSWORD@cache:6379
amqp://guest:guest@localhost:5672/
password: "<password>"
password: ${DB_PASSWORD}
password: "{{ vault_db_password }}"
token: op://vault/github/token
PASSWORD=$(cat /run/secrets/db)
%DB_PASSWORD%
password: changeme
api_key: YOUR_API_KEY
Password: \u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022
secret: [REDACTED]
Authorization: Bearer ${{ secrets.GITHUB_TOKEN }}
""",
    "name": """
risk-adjusted PnL and disk-backed queues
sk-toolbox-helper-module-name
mask-rcnn-resnet50-fpn-coco-weights
task-0123-implement-redaction-rules-now
sk_telecom_screenshot_2026.png
npm_package_version=1.0.0
hf_hub_download(repo_id)
fc-list | grep Noto
gsk_render_node_new_for_surface(x)
key-value-store-with-a-long-name
glossary-entry-long-name
test_redact_secret_does_not_mask_token_count_when_value_is_numeric
src/components/authentication/PasswordResetForm/PasswordResetForm.test.tsx
""",
    "identifier": """
request id bc501ca9-3542-47e1-93ab-7e38bd53bb86
trace_id=4760940311cbe7fdfb76ec55c6606620 span_id=6d8de33a18da5aa6
"sessionId": "550e8400-e29b-41d4-a716-446655440000"
"tool_use_id": "toolu_01A09q90qw90lq917835lq9"
fixed in commit 64cf0c70b346978313ff13bf096eafd3f0ee858a
sha256:889d819329cdfdfc445f3fbf4ad35528f5726c2523ed62507b5168d6a5292c21
"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="
System.Data, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089
"public_key": "GEqk0uW1wPPKVzhum7Vlt0s47X8Pw1y7oGlCPqjiDl0"
SHA256:UCpBc2ByuKW8hjcJ1mHfH1hHrXqLMg30pANuUcFl8l4 (ED25519)
PWD=/srv/project
-----BEGIN CERTIFICATE-----
""",
    "company": """
username: string; password: string
user, password = line.split(":")
conn = connect(user=user, password=dbpass)
use the --username and --password options
usage: tool [--user USER] [--password PASSWORD]
password: required|string|min:8
username: text
password: text
docker run -u app -p 3000:3000 x
sudo -u bob mkdir -p build2024x
ssh -l bob -p 2222 h
mysql -u root -p shop2
sign(message, privateKey)
connect("localhost", "8080")
# Pass allow_yanked=False to ignore yanked versions.
PASSWORD="${PASSWORD:?must be set}"
msbuild x.sln /p:OutDir=lib
password = '%s:%s' % (user, pw)
"S3Key": "my-app/5026-stage-150723_224258.war"
"arn:aws:secretsmanager:us-west-2:123456789012:secret:greengrass-TwilioAuthToken-ntSlp6"
"LockToken": "447e55ac-2396-4c6d-b9f9-86b67c17f8b5"
apt dbus-session-bus 1.14.10-1~deb12u1
ssh key: ~/.ssh/id_ed25519
@SIG shop/orders2.py|place(order_id:int,notify:bool=True)->Order
aws_access_key_id = AKIAIOSFODNN7EXAMPLE
aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
API_KEY=your_api_key_here
""",
    "not an e-mail": """
sk-ssh-ed25519-cert-v01@openssh.com
aes256-gcm@openssh.com
@app.route("/login")
git@github.com:acme/repo.git
ssh://git@bitbucket.org/acme/repo.git
ssh deploy@web01.acme.dev
lodash@4.17.21
uses: actions/checkout@v4
getty@tty1.service
assets/icon@3x.jpg
https://acme.dev/a:b@c
obj@method.call()
docker pull ghcr.io/acme/app@sha256:0000
""",
    "not an address": """
Fixes since 1.5.6.5
a failure prior to 1.2.5.3
<path d="c0 1.52-.87 2.83-2.12 3.51.98.32 2.03.5 3.11.5 3.5"/>
upgraded from 1.2.3.4 to 1.2.3.5 (file version)
Version: 10.0.2.1
v1.2.3.4 tagged
libssl.so.1.1.1.7
AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36
package==1.2.3.4
see section 3.2.1.1 of the RFC
1.3.6.1.4.1.311.21.8
"packageVersion":"10.7.31.9"
EAP 7.4.13.1 patch
bind 0.0.0.0:8080 and http://127.0.0.1:3000 netmask 255.255.255.0
std::vector<int> v;
Vec::<u8>::new()
struct Dead::Beef {};
at 00:00:02.944000 the stream
MAC 00:1B:44:11:3A:B7
x[::2] + y[100::3]
[::]:80 and ::1
""",
}


@pytest.mark.parametrize("group", UNTOUCHED)
def test_left_alone(group):
    for line in UNTOUCHED[group].strip().split("\n"):
        assert ail.redact(line).text == line


def test_left_alone_as_one_text_and_inside_json():
    text = "\n".join(UNTOUCHED.values())
    assert ail.redact(text).findings == ()
    document = json.dumps({"content": text, "lines": text.split("\n")})
    assert ail.redact(document).text == document


def test_an_untouched_text_is_the_same_text():
    assert ail.redact("").text == ""
    assert ail.redact("nothing to see\r\n\tat all\x0b\u2028").text == "nothing to see\r\n\tat all\x0b\u2028"
