"""What a person gets from the redactor: every kind of secret goes, under one name for one value, and documents stay documents."""
from __future__ import annotations

import json
import random
import string

import pytest

import ail_mcp as ail

# No secret stands in this file: each sample is put together here from parts, with a fixed seed.
_RANDOM = random.Random(20)
B62 = string.ascii_letters + string.digits
URL64 = B62 + "-_"
HEX = "0123456789abcdef"


def body(alphabet: str, length: int) -> str:
    text = "".join(_RANDOM.choice(alphabet) for _ in range(length - 4))
    return "7" + text + "k9Q" if alphabet in (B62, URL64) else "7" + text + "e9c" if alphabet == HEX else "7" + text + "K9Q"


def uuid() -> str:
    return "-".join("".join(_RANDOM.choice(HEX) for _ in range(n)) for n in (8, 4, 4, 4, 12))


VENDORS = {
    "github_token": ["gh" + "p_" + body(B62, 36), "gh" + "s_" + body(B62, 36), "github" + "_pat_" + body(B62, 22) + "_" + body(B62, 59)],
    "gitlab_token": ["gl" + "pat-" + body(URL64, 20), "gl" + "rt-" + body(URL64, 20), "gl" + "pat-" + body(URL64, 27) + ".0z." + body(B62, 9)],
    "openai_key": ["sk" + "-proj-" + body(URL64, 120), "sk" + "-svcacct-" + body(URL64, 100)],
    "anthropic_key": ["sk" + "-ant-api03-" + body(URL64, 95), "sk" + "-ant-oat01-" + body(URL64, 95)],
    "sk_key": ["sk" + "-" + body(HEX, 32), "sk" + "-" + body(B62, 48)],
    "openrouter_key": ["sk" + "-or-v1-" + body(HEX, 64)],
    "aws_access_key_id": ["AK" + "IA" + body(string.ascii_uppercase + "234567", 16), "AS" + "IA" + body(string.ascii_uppercase + "234567", 16)],
    "slack_token": ["xox" + "b-" + "123456789012-1234567890123-" + body(B62, 24), "xa" + "pp-1-A0" + body(B62, 40)],
    "google_api_key": ["AI" + "za" + body(URL64, 35)],
    "google_oauth_secret": ["GOC" + "SPX-" + body(URL64, 28)],
    "stripe_key": ["sk" + "_live_" + body(B62, 99), "rk" + "_test_" + body(B62, 24)],
    "huggingface_token": ["hf" + "_" + body(B62, 34)],
    "groq_key": ["gs" + "k_" + body(B62, 52)],
    "npm_token": ["np" + "m_" + body(B62, 36)],
    "pypi_token": ["py" + "pi-AgEIcHlwaS5vcmc" + body(URL64, 140)],
    "sendgrid_key": ["S" + "G." + body(URL64, 22) + "." + body(URL64, 43)],
    "telegram_token": ["7012345678:" + "AA" + body(URL64, 33)],
    "notion_token": ["nt" + "n_12345678901" + body(B62, 35)],
    "linear_key": ["lin" + "_api_" + body(B62, 40)],
    "digitalocean_token": ["do" + "p_v1_" + body(HEX, 64)],
    "vault_token": ["hv" + "s." + body(URL64, 95)],
    "databricks_token": ["da" + "pi" + body(HEX, 32)],
    "hubspot_token": ["pa" + "t-na1-" + uuid()],
    "twilio_key": ["S" + "K" + body(HEX, 32)],
    "mailchimp_key": [body(HEX, 32) + "-us" + "12"],
    "shopify_token": ["shp" + "at_" + body(HEX, 32)],
    "azure_ad_secret": ["abC8" + "Q~" + body(B62, 34)],
    "firecrawl_key": ["f" + "c-" + body(HEX, 32)],
    "webhook_url": ["https://hooks.slack" + ".com/services/T0" + body(B62, 9) + "/B0" + body(B62, 9) + "/" + body(B62, 24),
                    "https://discord" + ".com/api/webhooks/123456789012345678/" + body(URL64, 68)],
    "age_secret_key": ["AGE" + "-SECRET-KEY-1" + body(string.ascii_uppercase + string.digits, 58)],
    "jwt": ["ey" + "JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.ey" + "JzdWIiOiI0MiJ9." + body(URL64, 43)],
}
PLACES = {
    "alone": "{}", "environment": "export A_TOKEN={}", "yaml": "token: {}", "json": '{{"x": "{}"}}', "code": "c = Client(token='{}')", "sentence": "I pasted {}. Is that OK?",
    "parenthesis": "(old key: {})", "bold": "the key is **{}** now", "code tag": "<code>{}</code>", "backticks": "use `{}` for staging", "quoted reply": "> {}",
    "table": "| prod | {} | yes |", "list": "- {}", "colour": "\x1b[33m{}\x1b[0m", "written colour": r"\x1b[33m{}\x1b[0m", "escaped JSON": r'{{\"x\": \"{}\"}}',
    "escaped line": r"login ok\n{}\nbye", "ideographs": "密钥是{}，不要泄露", "kana": "キーは{}です", "query": "https://api.acme.dev/v1?access_token={}&n=1", "encoded": "a%3D{}%26b",
    "comma": "a,{},b", "dollar": "${}$", "slash": "x/{}/y",
}


@pytest.mark.parametrize("place", PLACES)
def test_a_vendor_token_goes_wherever_it_stands_and_nothing_else_does(place):
    for kind, tokens in VENDORS.items():
        for token in tokens:
            text = PLACES[place].format(token)
            if kind in ("webhook_url", "mailchimp_key", "azure_ad_secret", "telegram_token") and place in ("escaped line", "encoded", "slash", "query"):
                continue  # no left edge of their own there
            redacted = ail.redact(text).text
            assert token not in redacted and redacted == text.replace(token, f"REDACTED_{kind.upper()}_1"), (kind, redacted)


def test_the_name_says_what_kind_of_secret_it_was():
    for kind, tokens in VENDORS.items():
        for token in tokens:
            assert ail.redact(token).text == f"REDACTED_{kind.upper()}_1"


# One form of an assignment a line; `\n`, `\x1b` stand for themselves.
KEYED = r"""
DB_PASSWORD={}
export DB_PASSWORD="{}"
db_password: {}
password = '{}'
"password": "{}",
'password' => '{}',
spring.datasource.password={}
set DB_PASSWORD={}
ENV DB_PASSWORD {}
$env:DB_PASSWORD = "{}"
docker run -e POSTGRES_PASSWORD={} postgres
--db-password {} --region eu
./deploy --password='{}'
mysql -u root -p'{}' app
PGPASSWORD={} psql -h db
curl -u admin:{} https://x.acme.dev
sshpass -p '{}' ssh a@b
redis-cli -a {} ping
docker login -u bob -p {} r.acme.dev
echo {} | sudo -S id
net use Z: \\srv\share /user:bob {}
machine api.acme.dev login ci password {}
db.acme.dev:5432:app:app_user:{}
postgres://app:{}@db.internal:5432/app
redis://:{}@cache:6379/0
Server=db;User ID=sa;Password={};Encrypt=True
host=db user=app password={} sslmode=require
jdbc:mysql://db/app?user=root&password={}&useSSL=false
<password>{}</password>
<Password type="plain">{}</Password>
<add key="DbPassword" value="{}" />
<property name="password"><value>{}</value></property>
define('DB_PASSWORD', '{}');
connect(host='db', password='{}')
password: str = "{}"
const dbPassword string = "{}"
os.getenv("DB_PASSWORD", "{}")
process.env.DB_PASSWORD || "{}"
user.setPassword("{}");
auth=("admin", "{}")
if (password == "{}") { grant(); }
ALTER USER a WITH PASSWORD '{}';
- name: DB_PASSWORD\n  value: "{}"
{"name":"DB_PASSWORD","value":"{}"}
variable "db_password" {\n  default = "{}"\n}
username: bob\npassword:\n  {}\n
the wifi password is {} and
my password for staging was {}
try {} as the password
**Password**: `{}`
Password: {}
pw: {}
user: bob / pass: {}
login with admin / {} (old)
Passwort: {}
Das Passwort lautet {}
mot de passe : {}
contraseña: {}
пароль: {}
密码：{}，登录
密码是{}
パスワード：{}
비밀번호: {}
{\"password\": \"{}\"}
 DEBUG=0\n-SMTP_PASS=\n+SMTP_PASS={}\n
  42→    password: "{}"
config.py:14:DB_PASSWORD={}
\x1b[32mpassword\x1b[0m: \x1b[33m{}\x1b[0m
| Password | {} |
| user | password |\n|---|---|\n| bob | {} |
POST /login user=bob&password={}
-d '{"password":"{}"}'
requirepass {}
#define WIFI_PASS "{}"
char pass[] = "{}";
password <- '{}'
Password: ({})
*Password:* {}
<p>Password: <code>{}</code></p>
<b>Password</b>: {}
&lt;password&gt;{}&lt;/password&gt;
<param-name>password</param-name><param-value>{}</param-value>
password – {}
「パスワード」: {}
密码（测试环境）：{}
パスワードを{}に変更
clave: {}
mdp: {}
mật khẩu: {}
รหัสผ่าน: {}
كلمة المرور: {}
Пароль от сервера: {}
wachtwoord {}
password for the staging box: {}
password (staging): {}
"Password" is "{}"
changed my password from {} to another
wifi: HomeNet / {}
keytool -genkey -storepass '{}'
Connect-It -Username bob -Password '{}'
psexec \\\\h -u bob -p '{}' cmd
curl -sku 'bob:{}' https://x.acme.dev
etcdctl --user 'root:{}' get x
["--password", "{}"]
Popen(['sshpass','-p','{}','ssh','h'])
- --password\n  - {}
rabbitmqctl add_user bob '{}'
htpasswd -nb bob '{}'
wpa_passphrase Home '{}'
CONFIG SET requirepass '{}'
exec sp_addlogin 'bob', '{}'
ALTER USER 'a'@'b' IDENTIFIED WITH mysql_native_password BY '{}';
DECLARE @pw NVARCHAR(50) = '{}';
mysqli_connect('localhost', 'root', '{}', 'db');
WiFi.begin("HomeNet", "{}");
basic_auth("bob", Some("{}"))
sql.Open("mysql", "root:{}@tcp(db:3306)/d")
password = args.password or '{}'
ENV.fetch('DB_PASSWORD') { '{}' }
keyStore.load(in, "{}".toCharArray())
$('#password').val('{}')
fill_in 'Password', with: '{}'
"{}" | ConvertTo-SecureString -AsPlainText
user;password\nbob;{}\n
+----------+\n| password |\n+----------+\n| {} |\n+----------+
"""


@pytest.mark.parametrize("form", [form.replace("\\n", "\n").replace("\\x1b", "\x1b") for form in KEYED.strip("\n").split("\n")])
def test_a_password_goes_in_every_syntax(form):
    for secret in ("Trq9Vb$x2" + "Zvl", "Falcon" + "bicycle" + "6309?", "lHEsj3" + "almQhV0eyM"):
        text = form.replace("{}", secret)
        redacted = ail.redact(text).text
        assert secret not in redacted and "REDACTED_" in redacted, redacted
        assert redacted.replace("REDACTED_PASSWORD_1", secret) == text, redacted


@pytest.mark.parametrize("form", ['"password": "{}"', "password='{}'", "DB_PASSWORD={}"])
def test_a_plain_word_is_a_password_where_only_a_literal_can_stand(form):
    assert "monkeys" not in ail.redact(form.format("monkeys")).text


WITH_COMPANY = r"""
username: admin\npassword: {}
[client]\nuser=root\npassword={}\n
database:\n  host: db1\n  user: app\n  password: {}\n  pool: 5
Username: bob\r\nPassword: {}\r\n
host=db user=app password={} dbname=shop
Data Source=db;User Id=sa;Password={};Encrypt=True
uid=u;pwd={};
user: bob password: {}
docker login --username bob --password {} r.acme.dev
helm install x y --set auth.rootPassword={}
spring.datasource.password={}
POSTGRES_PASSWORD: {}
"""


@pytest.mark.parametrize("form", [form.replace("\\n", "\n").replace("\\r", "\r") for form in WITH_COMPANY.strip("\n").split("\n")])
def test_a_bare_word_is_a_password_beside_a_user_or_a_host(form):
    assert ail.redact(form.format("sunshine")).text == form.format("REDACTED_PASSWORD_1")


def test_keys_and_tokens_without_a_vendor_go_by_their_name():
    key, long = "vNLxMI0PrV5B" + "isudexVHlVS1m5Z2", "Kyk7B6pnr6NEKax" + "pq2hmRdXbYadPf3n4" + "s8Lw"
    for text in ("api_key={}", "X-Api-Key: {}", '{{"apiKey": "{}"}}', "client_secret: {}", "SECRET_KEY = '{}'", "Authorization: Bearer {}", "-H 'Authorization: token {}'", "Bearer {}",
                 "https://maps.acme.dev/t?key={}&z=4", "Cookie: theme=dark; sessionid={}", "my api key is {}", "access_token = \"{}\"", "//npm.acme.dev/:_authToken={}", "<apiKey>{}</apiKey>",
                 "gh secret set API_TOKEN --body \"{}\"", "api_keys = [\"{}\"]", "api密钥：{}", "jwt.encode(p, '{}', algorithm='HS256')", "client.WithAPIKey(\"{}\")",
                 "createHmac('sha256', '{}')", "* **API Key** – {}", "Client Secret\n{}\n", "API key for staging: {}", "define('AUTH_SALT', '{}');", "args:\n  - --token\n  - {}"):
        for value in (key, long):
            assert value not in ail.redact(text.format(value)).text, text
    secret = "MxPVkSR73/VQEZ7" + "OWG3I8lKjkx/B+JVK34S+tSto"
    access = VENDORS["aws_access_key_id"][0]
    assert secret not in ail.redact(f"aws_secret_access_key = {secret}").text
    assert secret not in ail.redact(f"{access} and then {secret}").text


def test_basic_auth_registries_and_kubernetes_secrets():
    pair = "c3ZjOmEwZTB1" + "UnFGUzVMdkJ1U0o="
    for text in (f"Authorization: Basic {pair}", f'{{"auths": {{"r.acme.dev": {{"auth": "{pair}"}}}}}}', f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: {pair}\n"):
        assert pair not in ail.redact(text).text
    assert ail.redact(f"kind: ConfigMap\nmetadata:\n  name: db-config\ndata:\n  motd: {pair}\n").findings == ()


def pem(label: str = "RSA PRIVATE KEY", lines: int = 6) -> list[str]:
    return [f"-----BEGIN {label}-----", *(body(B62 + "+/", 64) for _ in range(lines)), f"-----END {label}-----"]


@pytest.mark.parametrize("shape", ["\n{}\n", "tls.key: |\n  {}\nnext: 1", '{{"k": "{}\\n"}}', 'KEY="{}"', "> {}\n\nthanks", "+{}\n", "12\t{}\n"])
@pytest.mark.parametrize("label", ["RSA PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"])
def test_private_keys_lose_their_body_and_keep_their_frame(shape, label):
    joint = {"{}": "\n", "tls": "\n  ", '{{"': "\\n", "KEY": "\\n", "> {": "\n> ", "+{}": "\n+", "12\t": "\n13\t"}[shape.strip()[:3] if not shape.startswith("12") else "12\t"]
    lines = pem(label)
    redacted = ail.redact(shape.replace("{{", "{").replace("{}", joint.join(lines))).text
    assert not any(line[:20] in redacted or line[-20:] in redacted for line in lines[1:-1]), redacted
    assert f"BEGIN {label}" in redacted and f"END {label}" in redacted and redacted.count("REDACTED_PRIVATE_KEY_1") == 1


def test_a_private_key_that_is_cut_off_and_one_in_base64_and_puttys():
    lines = pem()
    redacted = ail.redact("dump follows\n" + "\n".join(lines[:-1]) + "\n\nthat was the dump of today").text
    assert not any(line in redacted for line in lines[1:-1]) and redacted.endswith("\n\nthat was the dump of today")
    import base64
    wrapped = base64.b64encode("\n".join(lines).encode()).decode()
    assert wrapped[40:80] not in ail.redact("client-key-data: " + wrapped).text
    putty = "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n" + lines[1] + "\nPrivate-MAC: 00"
    assert lines[1] not in ail.redact(putty).text


ADDRESSES = {
    "email": ["jane.doe77@sub.example.org", "o.brien+test@acme.dev", "JANE@UNI-HEIDELBERG.DE", "k8s-oncall@mail.example.co.uk"],
    "ipv4": ["203.0.113.219", "10.83.250.49", "192.168.34.11", "100.74.86.14"],
    "ipv6": ["2001:db8:7f8::a2", "2a02:15a0:28b6:a749:a4a4:2847:adcd:39fc", "fe80::8af:d261:fe6c:e684", "::ffff:10.10.130.190", "2001:DB8:CB8::2D"],
}


@pytest.mark.parametrize("kind", ADDRESSES)
@pytest.mark.parametrize("place", ["{}", "the box is {}.", "({})", '{{"a":"{}"}}', "请联系{}，谢谢", r"hi\n{}\nbye", "\x1b[33m{}\x1b[0m", "to: {}, x", "<{}>", "from {} port 22", "`{}`"])
def test_addresses(kind, place):
    for address in ADDRESSES[kind]:
        text = place.format(address)
        redacted = ail.redact(text).text
        assert redacted == text.replace(address, f"REDACTED_{kind.upper()}_1")


def test_an_address_in_a_url_goes_and_the_url_stays():
    assert ail.redact("http://100.123.85.199:8080/health").text == "http://REDACTED_IPV4_1:8080/health"
    assert ail.redact("http://[2001:db8:dda::f7]:8443/").text == "http://[REDACTED_IPV6_1]:8443/"
    assert ail.redact("GET /u?m=o.brien%2Btest%40acme.dev 200").text == "GET /u?m=REDACTED_EMAIL_1 200"
    assert ail.redact("https://app.acme.dev/invite?email=bob@acme.dev&role=admin").text == "https://app.acme.dev/invite?email=REDACTED_EMAIL_1&role=admin"


def test_addresses_glued_to_one_another_go_at_once():
    for text in ("2001:db8::1:bob@acme.dev", "2001:db8::5:6bob@acme.dev", "addr:2001:db8::1", "bob@acme.dev:2001:db8::1"):
        redacted = ail.redact(text).text
        assert "2001:db8::" not in redacted.replace("acme.dev:2001:db8::1", "") and "bob@" not in redacted and ail.redact(redacted).text == redacted
    assert ail.redact("jane@mail.acme.com.py").text == "REDACTED_EMAIL_1.py"


def test_a_seed_phrase_goes_with_and_without_quotes():
    words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    for form in ("seed phrase: {}", 'mnemonic = "{}"', "recovery phrase: {}\n"):
        assert ail.redact(form.format(words)).text == form.format("REDACTED_SEED_PHRASE_1")


def test_optional_kinds_are_off_until_asked_for():
    text = "card 4111 1111 1111 1111 exp; IBAN DE89370400440532013000; SSN: 205-90-8813; call +1 (415) 555-8176; http://127.0.0.1:80; root:$6$fILzojZHnHgC$DZUfUoO14deytmX1c9pQ0aPz/abc:1"
    assert ail.redact(text).text == text
    assert sorted({finding.kind for finding in ail.redact(text, optional=("all",)).findings}) == ["card", "iban", "loopback", "password_hash", "phone", "ssn"]
    assert ail.redact("card 4111 1111 1111 1112; DE88370400440532013000", optional=("card", "iban")).findings == ()  # the check digits are wrong


# ---- names

def test_equal_values_have_equal_names_in_one_run():
    run = ail.Redactor()
    mail, token = "bob@acme.dev", VENDORS["github_token"][0]
    assert run.redact(f"{mail} {token} amy@acme.dev") == "REDACTED_EMAIL_1 REDACTED_GITHUB_TOKEN_1 REDACTED_EMAIL_2"
    assert run.redact(f"amy@acme.dev {token}") == "REDACTED_EMAIL_2 REDACTED_GITHUB_TOKEN_1"
    assert run.counts == {"email": 3, "github_token": 2}


def test_a_password_is_found_again_without_its_key():
    run = ail.Redactor()
    assert run.redact("it was hunter22x, so: password=hunter22x") == "it was REDACTED_PASSWORD_1, so: password=REDACTED_PASSWORD_1"
    assert run.redact("try hunter22x!") == "try REDACTED_PASSWORD_1!"
    assert run.redact("not xhunter22x or hunter22xy") == "not xhunter22x or hunter22xy"
    assert run.redact_all(["hunter33y", "password=hunter33y"]) == ["REDACTED_PASSWORD_2", "password=REDACTED_PASSWORD_2"]
    many = "".join(f"password=aB3x{i:05d}Q\n" for i in range(60)) + "and aB3x00059Q"
    assert ail.redact(many).text.endswith("and REDACTED_PASSWORD_60")


def test_words_that_a_text_is_full_of_are_not_hunted():
    assert ail.redact("postgres is up; password: \"postgres\"").text == "postgres is up; password: \"REDACTED_PASSWORD_1\""


def test_numbering_goes_on_behind_the_names_that_are_there():
    assert ail.redact("mail REDACTED_EMAIL_7 and bob@acme.dev").text == "mail REDACTED_EMAIL_7 and REDACTED_EMAIL_8"


def test_replacement_is_by_place_and_not_by_text():
    assert ail.redact("password: \"sword7\"").text == "password: \"REDACTED_PASSWORD_1\""
    assert ail.redact("postgres://alice:alice@db/app").text == "postgres://alice:REDACTED_PASSWORD_1@db/app"


def test_findings_and_report_tell_kinds_and_lines_and_never_values():
    run = ail.Redactor()
    run.redact_document("a\r\nbob@acme.dev\r\n\r\npassword=hunter22x bob@acme.dev\n")
    assert [tuple(finding) for finding in run.findings] == [("email", "REDACTED_EMAIL_1", 2), ("password", "REDACTED_PASSWORD_1", 4), ("email", "REDACTED_EMAIL_1", 4)]
    report = ail.redaction_report(run)
    assert "email: 1 values in 2 places, line 2, 4" in report and "bob" not in report and "hunter" not in report
    assert ail.redaction_summary(run.counts) == "redacted: 2 email, 1 password"
    assert ail.redaction_summary({}) == "redacted: nothing"


# ---- documents

def test_a_json_document_changes_in_its_values_and_nowhere_else():
    secret = "a\"b\\c" + "$9xQz"
    document = '{ "n" : 1.50e3,\n  "password":%s, "u": "\\u00e9\\/", "list": ["bob@acme.dev", null] }' % json.dumps(secret)
    redacted = ail.redact(document).text
    assert redacted == '{ "n" : 1.50e3,\n  "password":"REDACTED_PASSWORD_1", "u": "\\u00e9\\/", "list": ["REDACTED_EMAIL_1", null] }'


def test_every_line_of_a_transcript_stays_valid_and_in_its_place():
    lines = [json.dumps({"type": "user", "message": {"content": f"line one\nexport DB_PASSWORD=hunter{i}2x\n\"bob{i}@acme.dev\" \\ \U0001f600"}}, ensure_ascii=bool(i % 2)) for i in range(8)]
    lines.insert(3, "not json {")
    redacted = ail.redact("\n".join(lines) + "\n").text.split("\n")
    assert len(redacted) == len(lines) + 1
    for before, after in zip(lines, redacted):
        if before.startswith("{"):
            content = json.loads(after)["message"]["content"]
            assert content.startswith("line one\nexport DB_PASSWORD=REDACTED_PASSWORD_") and content.endswith("\" \\ \U0001f600") and "hunter" not in content and "bob" not in content
        else:
            assert after == before


def test_a_key_decides_about_its_value_in_json_also_through_name_and_value():
    for document in ('{"db": {"password": "sunshine"}}', '[{"name": "DB_PASSWORD", "value": "sunshine"}]', '[{"value": "sunshine", "name": "DB_PASSWORD"}]', '{"passwords": ["x"], "password": ["sunshine"]}'):
        assert "sunshine" not in ail.redact(document).text
    assert "REDACTED" not in ail.redact('{"sessionId": "550e8400-e29b-41d4-a716-446655440000", "signature": "EqQBgD1cdL1dFGqaQfZ3L3fLdAeSsTs+P49rxDSndbkQ", "max_tokens": 4096}').text


def test_a_number_under_a_password_becomes_a_string_and_no_other_number_changes():
    document = '{"id": 123456789, "password": 31457228, "db": {"dbPassword" : 99887766 }, "password_length": 123456, "passwords": 1.2345678}'
    redacted = ail.redact(document).text
    assert json.loads(redacted) == {"id": 123456789, "password": "REDACTED_PASSWORD_1", "db": {"dbPassword": "REDACTED_PASSWORD_2"}, "password_length": 123456, "passwords": 1.2345678}
    assert ail.redact(document, keep_kinds=("password",)).text == document


@pytest.mark.parametrize("line", [r'"say \"password=hunter22x\" again"', r'"password=\"hunter22x\""', r'"\\ password=hunter22x\\"', r' {"a": "password=\"hunter22x\""}'])
def test_every_json_value_of_a_line_stays_one(line):
    for document in (line, f'{{"a": 1}}\n{line}\n', f"prose\n{line}"):
        redacted = ail.redact(document).text
        assert "hunter22x" not in redacted
        assert json.loads(redacted.strip().split("\n")[-1]) is not None


def test_what_cannot_be_encoded_survives():
    text = "lone \ud800 surrogate, password=hunter22x, \x00 and \u2028 too"
    assert ail.redact(text).text == text.replace("hunter22x", "REDACTED_PASSWORD_1")
    assert ail.redact('{"a": "\\ud800 password=hunter22x"}').text == '{"a": "\\ud800 password=REDACTED_PASSWORD_1"}'


# ---- options

def test_allowed_values_and_kinds_that_are_kept():
    text = "bob@acme.dev amy@acme.dev 10.2.3.4"
    assert ail.redact(text, allow=("bob@acme.dev",)).text == "bob@acme.dev REDACTED_EMAIL_1 REDACTED_IPV4_1"
    assert ail.redact(text, allow=("/[a-z]{1,20}@acme\\.dev/",)).text == "bob@acme.dev amy@acme.dev REDACTED_IPV4_1"
    assert ail.redact(text, keep_kinds=("ipv4", "EMAIL")).text == text
    with pytest.raises(ail.UsageError, match="--keep-kind.*expected one of.*email"):
        ail.redact(text, keep_kinds=("mails",))


def test_own_rules():
    assert ail.redact("see ACME-1234 and acme", extra=("ticket=ACME-[0-9]+",)).text == "see REDACTED_TICKET_1 and acme"
    assert ail.redact("see ACME-1234", extra=(ail.extra_rule("ticket=ACME-[0-9]+"),), keep_kinds=("ticket",)).text == "see ACME-1234"


@pytest.mark.parametrize("spec", ["ticket", "=x", "1a=x", "a__b=x", "a_=x", "t=", "t=[", "t=a*", "t=(a+)+$", r"t=(\w+\s?)*x", "t=.*secret", r"t=\d+-\d+", "t=(a|aa){1,30}c", "t=(x+x+)+y", "t=(?P<q>x)(?P=q)",
                                  "t=[a-z]{0,300}[a-z]{0,300}!", r"t=[\w.]+@corp\.io", "t=(?=a+b)c", "t=(?:foo|b+a)"])
def test_a_rule_that_is_wrong_or_could_blow_up_is_refused_in_one_line(spec):
    with pytest.raises(ail.UsageError) as caught:
        ail.extra_rule(spec)
    assert str(caught.value).startswith("--extra") and "\n" not in str(caught.value)


@pytest.mark.parametrize("spec", ["t=ACME-[0-9]+", r"t=\bTICKET-\d{3,8}\b", r"t=id=\S+", r"t=(?i)corp-\w+", "t=(?:foo|bar)-[0-9]{1,9}", r"t=(\d{1,3}\.){3}\d{1,3}", r"t=[\w.]{1,64}@corp\.io", "t=(?<=id=)[0-9]{8}"])
def test_ordinary_rules_are_taken(spec):
    assert ail.extra_rule(spec)[0] == "t"


def test_an_error_inside_gives_no_output():
    class Broken:
        def finditer(self, text):
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError):
        ail.redact("password=hunter22x", extra=(("t", Broken()),))


@pytest.mark.parametrize("pattern", ["(?:a?){20}a{20}b", "(?:a?a?){30}b", "(?:a{0,9}){9}b", "(?:a{1,9}){9}b", "(?:(?:a?){5}){5}b", "(?:(?:a|aa){5}b?){6}c"])
def test_an_own_rule_whose_bounded_repetitions_multiply_is_refused(pattern):
    with pytest.raises(ail.UsageError, match="linear"):
        ail.extra_rule("X=" + pattern)


@pytest.mark.parametrize("pattern", ["ACME-[0-9]{4,12}", "(?:key|token)_[a-z]{2,20}", "x[0-9]{3}(?:-[0-9]{3}){2}"])
def test_an_own_rule_of_a_usual_form_is_taken(pattern):
    assert ail.extra_rule("X=" + pattern)[0] == "x"


def test_a_placeholder_inside_a_secret_does_not_shelter_it():
    body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
    key = f"-----BEGIN PRIVATE{' '}KEY-----\n{body}\nREDACTED_EMAIL_1\n{body[::-1]}\n-----END PRIVATE{' '}KEY-----\n"
    clean = ail.redact(key).text
    assert body not in clean and body[::-1] not in clean and "REDACTED_EMAIL_1" in clean
    value = "hunter2" + "secretX9"
    for text in (f"password=REDACTED_PASSWORD_1{value}\n", f"url https://bob:REDACTED_X_1{value}@h.com\n", f"password={value}REDACTED_X_1\n"):
        clean = ail.redact(text).text
        assert value not in clean
        assert ail.redact(clean).text == clean
    assert ail.redact("the password is REDACTED_PASSWORD_1 for staging\n").text == "the password is REDACTED_PASSWORD_1 for staging\n"


@pytest.mark.parametrize("word", ["example", "EXAMPLE", "your", "xxxx", "placeholder", "REDACTED", "REDACTED_EMAIL_3", "<x>", "${", "${X}", "{{x}}", "...", "***", "%s", "](", "[^", "(?=", "_here", "null", "!x", "EXAMPLEKEY"])
@pytest.mark.parametrize("form", ['password="{}"', '{{"password":"{}"}}', 'API_KEY="{}"', 'secret_key = "{}"', 'client_secret: "{}"'])
def test_what_looks_like_a_placeholder_does_not_shelter_the_secret_around_it(word, form):
    left, right = "aB3dE5fG7" + "hk9", "Q2w1Zr8Lm" + "4Tx"
    for value in (left + word + right, word + left + right, left + right + word, f"{left}-{word}-{right}"):
        redacted = ail.redact(form.format(value)).text
        assert left not in redacted and right not in redacted, redacted
