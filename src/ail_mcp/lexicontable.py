"""The closed lexicon as a table: what things are called, and the words that people have for them.

A row is `name = kind predicate [in:UNIT] [safety] [/ VERB_CLASSES]`, and its aliases on the lines below, between semicolons, as singulars and
infinitives. In an alias `a/b c` is `a c` and `b c`, and `_` is a blank inside such a choice. `!` marks a word for the opposite: "offline"
denies network access. `+` marks words that are a rule by themselves: "ask first".

- The kind says what can be claimed: `flag` (true or false), `quantity` (a number, in a unit or a count), `choice` (one of several), `text`.
- VERB_CLASSES are the classes of verbs that say no more than the claim (see `phrasewords`): "don't use libs" is "no libs"; "don't fix libs" is not.
- `safety` marks a boundary that must never be lost in silence (paper, sections 4.5 and 10).

An alias belongs to one row only. Words that mean something else in everyday talk (go, rest, train) are no aliases: a wrong name is worse
than none.
"""
from __future__ import annotations

CLOSED_VERSION = 1  # goes up when a row or an alias changes

LEXICON_ROWS = """
[software]
external_libraries = flag allowed / use add load
    lib; library; external/third_party/3rd_party/outside lib/library/package/dependency/module; package; dependency; external code;
    npm/pip/pypi package; !dependency free; !zero/no dependency; !standard library only; !stdlib only; !only standard library
new_dependencies = flag allowed / use add act load
    new/additional/extra/more dependency/package/lib/library; add dependency/package; install package/dependency
external_assets = flag allowed / use add load
    asset; external/remote/outside asset/resource/file/image/font; image asset; asset file
frameworks = flag allowed / use add load
    framework; web/js/javascript/css/ui framework; !framework free
network_access = flag allowed / use act
    network/internet access; network; network/http/outgoing/external request/call; internet; go online; access internet/network; !offline;
    !work offline; !run offline
cdn = flag allowed / use add load
    cdn; cdn link/import/script; script from cdn; content delivery network
build_step = flag allowed / use add
    build step/process/tool; bundler; bundling; compile/compilation step; transpiler; transpiling
inline_styles = flag allowed / use add make
    inline style/css/styling; style attribute
global_state = flag allowed / use add
    global state/variable; global; mutable global
browser_storage = flag allowed / use
    local storage; localstorage; sessionstorage; browser storage
cookies = flag allowed / use
    cookie; browser cookie; http cookie
analytics = flag allowed / use add act
    analytics; telemetry; tracking; usage tracking; tracker
advertising = flag allowed / use add
    ads; advertising; advertisement; ad banner
eval_calls = flag allowed / use act
    eval; use eval; call eval; dynamic code execution
code_comments = flag required / make
    comment; code/inline comment; comment in code
placeholder_code = flag allowed / use make
    placeholder; placeholder code; stub; todo comment; mock implementation; lorem ipsum
hardcoded_values = flag allowed / use make
    hardcoded/hard_coded value/path/constant/url; hardcode; hard code; magic number
breaking_changes = flag allowed / act make
    breaking change; api break; break compatibility/api/public_api/existing_callers; !backward/backwards compatible;
    !backward/backwards compatibility; !keep public api stable; !keep backward/backwards compatibility
public_api_changes = flag allowed / act make
    change/modify/touch/alter public_api/api; public api/interface change; api change; !keep public_api unchanged; !leave public api alone
schema_changes = flag allowed / act make
    schema/database_schema/db_schema change; change/alter/modify schema/database_schema/db_schema; migration; schema migration
test_changes = flag allowed / act make
    change/modify/edit/touch test/tests/existing_tests; test change; weaken test/tests
refactoring = flag allowed / act
    refactor; refactoring; unrelated change/refactoring; drive by change/refactoring; cleanup refactoring
file_creation = flag allowed / act make add
    create file/new_files; new file; additional/extra file
commits = flag allowed / act make
    commit; git commit; commit change/changes/anything
amending = flag allowed / act
    amend; amend commit/last_commit; git commit amend
rebasing = flag allowed / act
    rebase; git rebase; rewrite history/git_history
squashing = flag allowed / act
    squash; squash merge; squash commit
console_output = flag allowed / use make
    console log/output; console.log; print/debug_print statement; debug output
code_fences = flag allowed / use make
    code fence; markdown fence; code block marker
explanations = flag allowed / make add use act
    explanation; commentary; explain; explanatory text; prose around code; !code only; !only code; !just code; !codeonly
automated_tests = flag required / make add
    test; unit/automated/integration test
documentation = flag required / make add
    docs; documentation; api/user documentation; docstring
type_hints = flag required / use make add
    type hint/annotation; static type; typing annotation; typed code
error_handling = flag required / make add
    error handling; exception handling; handle error
input_validation = flag required / make add act
    input validation; validate input/user_input; form validation
accessibility = flag required / make add
    accessibility; a11y; wcag; screen reader support; keyboard navigation
responsive_layout = flag required / make use
    responsive layout/design; mobile friendly; mobile layout
dark_mode = flag required / make add use
    dark mode/theme
start_pause_control = flag required / make add
    start/pause button; start pause; start and pause; start and pause button; play pause button
reset_control = flag required / make add
    reset; reset button/control
speed_control = flag required / make add
    speed slider; speed control; slider for speed
chart = flag required / make add
    chart; line chart; live chart; graph; sir chart
logging = flag required / use make add
    logging; structured logging; log message
caching = flag required / use add make
    cache; caching
pagination = flag required / use add make
    pagination; paging; paginated list
authentication = flag required / use add make
    authentication; login; sign in; user login
ci_green = flag required
    green ci; ci green; ci pass; test pass; passing test; all tests pass
single_file = flag required / make use
    single file; one file; +single/one html file; one file html; self contained file; +all in one file
single_component = flag required / make use
    single/one component; single/one react component
code_review = flag required / act
    code review; review; pull request review; peer review
determinism = flag required
    deterministic; determinism; reproducible; reproducibility; fixed seed; !randomness
agent_count = quantity equals / have use none
    agent; agent count; number of agents; agents count; simulated agent
initial_infected = quantity equals / have use
    infected; initially/initial infected; initially infected agent; infected agent; infected at start
infection_radius = quantity equals in:length / have use
    infection radius
infection_probability = quantity equals in:share / have use
    infection probability/rate; transmission probability; infection prob
recovery_steps = quantity equals / have use
    recovery step; step to recover; steps until recovery; recovery time
grid_width = quantity equals / have use
    grid width; width of grid
grid_height = quantity equals / have use
    grid height; height of grid
cell_size = quantity equals in:px / have use
    cell size; cell width; pixel per cell
retry_count = quantity equals / have use act none
    retry; retry count; number of retries; max retry; attempt; retry attempt
timeout = quantity equals in:time / have use
    timeout; time out; time limit; request timeout; connection timeout
latency = quantity equals in:time / have use
    latency; response time; p95; p95/p99 latency; p99; startup time; start up time
rate_limit = quantity equals / have use
    rate limit; request per second; request per minute; rps; throttle limit
page_size = quantity equals / have use
    page size; item per page; result per page; entry per page
line_length = quantity equals / have use
    line length; column limit; character per line; max line length; line width
file_size = quantity equals in:size / have use
    file size; upload size; bundle size; maximum file size; size limit
memory_limit = quantity equals in:size / have use
    memory; memory limit; ram; memory usage; memory use
test_coverage = quantity equals in:share / have use
    line coverage; code coverage; branch coverage; coverage
function_length = quantity equals / have use
    line per function; function length; lines function
worker_count = quantity equals / have use
    worker; worker process; worker count; number of workers
thread_count = quantity equals / have use
    thread; thread count; number of threads
port = quantity equals / use have
    port; port number; listen on port; tcp port
frame_rate = quantity equals in:rate / have use
    frame rate; fps; frames per second; frame per second
token_budget = quantity equals / have use spend
    token budget; token; token limit; context budget
cost_limit = quantity equals in:money / have use spend
    cost limit; cloud cost; hosting cost; monthly cost
rendering_backend = choice selected / use make
    rendering backend; renderer; rendering; rendering method; drawing backend; drawing technology
programming_language = choice selected / use make
    programming language; implementation language; coding language
frontend_framework = choice selected / use make
    frontend stack; front end stack; ui library; frontend library
backend_framework = choice selected / use make
    backend stack; back end stack; web server framework; backend framework
styling = choice selected / use make
    styling; css approach; css solution; styling approach
database = choice selected / use
    database; db; data store; datastore; primary database
cache_store = choice selected / use
    cache store; cache backend
message_queue = choice selected / use
    message queue; message broker; broker; queue backend; task queue; job queue
object_storage = choice selected / use
    object storage; object store; file storage; blob storage; blob store
api_style = choice selected / use make
    api style; api protocol; api type
package_manager = choice selected / use
    package manager; dependency manager
test_runner = choice selected / use
    test runner; test framework; testing framework
bundler_choice = choice selected / use
    build tool of choice; bundler of choice
linter = choice selected / use
    linter; formatter; lint tool; code formatter
indentation = choice selected / use
    indentation; indent style; indent
naming_style = choice selected / use
    naming convention/style; case style; identifier style
version_control_flow = choice selected / use
    branching model; merge strategy; git workflow
hosting = choice selected / use
    hosting; hosting provider; cloud provider; deployment target
authentication_method = choice selected / use
    authentication method; auth method; login method
module_system = choice selected / use
    module system; module format
base_branch = text equals / use
    base branch; target branch; default branch
license = text equals / use
    license; licence; software license
python_version = text equals / use have
    python version; minimum python version; version of python
node_version = text equals / use have
    node version; node.js version; version of node
file_name = text equals / use
    file name; filename; name of file; output file
working_directory = text equals / use
    working directory; work directory; working dir
production_changes = flag allowed safety / act change
    production; prod; production change; live system; production system/server/environment; prod system/server/environment;
    touch/change/modify/write_to/alter/edit production/prod/production_system/live_system; production/prod/live database/db;
    touch/change/modify/write_to/alter production_database/prod_database/live_database/prod_db/production_db
production_deploys = flag allowed safety / act
    deploy to/on/in/into production/prod/live; production/prod deployment/deploy/release; push to production/prod; ship/release to production/prod;
    go live
deploys = flag allowed safety / act
    deploy; deployment; deploy anything; rollout; roll out; release to users
publishing = flag allowed safety / act
    publish; publish package/to_npm/to_pypi/release/anything; publication of packages; cut release
pushing = flag allowed safety / act
    push; git push; push to_remote/to_origin/anything/commits/code/branch
main_branch_pushes = flag allowed safety / act
    push to/on/onto/into main/master/main_branch/master_branch/trunk; push directly/straight to main/master; direct push to main/master;
    commit to/on/directly_to/straight_to main/master/main_branch; direct commit to main/master
force_pushes = flag allowed safety / act
    force push; forced push; git push force; push force; force push to main/master
merging = flag allowed safety / act
    merge; merge to/into main/master; merge pr/pull_request; self merge; auto merge
hook_bypass = flag allowed safety / act use
    no verify; skip hook; bypass hook/hooks; disable hook; skip pre_commit_hook; bypass ci; skip ci
secrets = flag allowed safety
    secret; credential; password; api/access/private key; secret key
secrets_in_logs = flag allowed safety
    log/print/echo secret/credential/password/api_key/access_token; secret/credential/password/token/api_key in log/logs; log secrets
secrets_in_repository = flag allowed safety
    commit/check_in/push/version secret/credential/password/api_key/key/token/.env; hardcode/hard_code secret/credential/password/api_key;
    secret/credential/password/api_key in repo/repository/code/git/version_control; hardcoded/hard_coded secret/credential/password/api_key;
    plaintext/plain_text password
secret_disclosure = flag allowed safety
    share/expose/leak/reveal/disclose/paste/send/show secret/credential/password/api_key; expose api/access/private key
deleting_files = flag allowed safety / act
    delete/remove file/existing_files/files; file deletion; rm; rm rf; unlink file
deletions = flag allowed safety / act
    delete; deletion; delete anything
deleting_branches = flag allowed safety / act
    delete branch/remote_branches; branch deletion; prune branch
destructive_commands = flag allowed safety / act use
    destructive command/operation/action/migration; irreversible action/operation; git reset hard; reset hard; hard reset; git clean
sending_messages = flag allowed safety / act
    send email/mail/message/anything; email/contact customer/users/user; post to/on slack/social_media; send real emails; send out emails
confirmation_first = flag required safety / act
    +ask first/before/me_first/for_confirmation/for_permission/for_approval; confirmation; +confirm with me; +get approval; approval;
    human approval; human in loop; manual approval; explicit permission
read_only = flag required safety
    +read only; +read only access/mode; !write access; look but do not touch
dry_run = flag required safety / act use
    dry run; dry run mode; +dry run first
root_access = flag allowed safety / use have act
    root; root access; sudo; admin/administrator right/privilege/access; run as root; elevated privilege
untrusted_code = flag allowed safety / act
    run/execute untrusted/unknown/downloaded code; untrusted code; curl pipe bash; execute downloaded scripts
tls = flag required safety / use
    tls; https; tls connection; encrypted connection
certificate_verification = flag required safety / act use
    tls verification; certificate check; certificate verification; verify certificate; ssl verification
security_scope = choice equals safety / use act
    security scope; cyber scope; engagement scope; scope of security work
offensive_security = flag allowed safety / act make use
    exploit; working exploit; exploit code; exploitation; malware; attack code; offensive tool/tooling/technique; attack tooling; weaponize;
    payload; phishing; attack other systems; scan third party hosts

[data]
deduplication_key = text equals / use
    deduplicate by/on; dedupe by/on; dedup by/on; deduplication key; dedup key; unique key
deduplication = flag required / act
    deduplicate; dedupe; dedup; deduplication; remove duplicate; drop duplicate
row_dropping = flag allowed / act
    drop row; remove row; delete row; discard row; lose row; drop record; !keep all rows; !keep every row
imputation = flag allowed / act use
    impute; imputation; fill missing values; fill in missing values; fill gap
column_renaming = flag allowed / act
    rename column; column renaming; rename field
outlier_removal = flag allowed / act
    remove outlier; drop outlier; outlier removal
in_place_edits = flag allowed / act
    overwrite input/source_file/input_files/original; edit in place; in place edit; modify input; change raw data;
    !keep original/input/raw_data unchanged
header_row = flag required / have make
    header row; header line; column header; csv header
schema_validation = flag required / act use make
    schema validation; validate schema; schema check; type check of columns
row_count = quantity equals / have use
    row; row count; number of rows; record; record count; number of records
sample_size = quantity equals / have use
    sample size; sample; number of samples; participant; respondent
batch_size = quantity equals / use have
    batch size; row per batch; record per batch; chunk size
missing_share = quantity equals in:share / have use
    missing value; share of missing values; missing rate; null rate
significance_level = quantity equals / use
    significance level; alpha level; p value threshold; alpha
learning_rate = quantity equals / use have
    learning rate; lr
epoch_count = quantity equals / have use act
    epoch; number of epochs; training epoch
random_seed = quantity equals / use have
    random seed; seed; rng seed; random state
test_share = quantity equals in:share / have use
    test split; test share; hold out share; holdout share; validation split
decimal_places = quantity equals / use have
    decimal place; decimal; digits after point; decimal digit
table_library = choice selected / use
    table library; dataframe library; data frame library
file_format = choice selected / use make
    file format; output format; data format; export format; input format
delimiter = choice selected / use
    delimiter; separator; field separator; csv separator; column separator
text_encoding = choice selected / use
    encoding; file encoding; text encoding; character set; charset
date_format = choice selected / use
    date format; format of dates; timestamp format
time_zone = text equals / use
    time zone; timezone; tz
statistical_test = choice selected / use
    statistical test; significance test; hypothesis test
plot_library = choice selected / use make
    plot library; plotting library; charting library; chart library
query_language = choice selected / use
    query language; query style
primary_key = text equals / use
    primary key; key column; id column; join key
null_marker = text equals / use
    null marker; missing value marker; na value; na marker
personal_data = flag allowed safety / use
    personal data; pii; personal information; personally identifiable information; private data; user/customer data; real name; patient data;
    health data
personal_data_in_logs = flag allowed safety
    log/print personal_data/pii/user_data/customer_data/email_addresses; pii/personal_data/user_data/customer_data in log/logs/log_output
personal_data_sharing = flag allowed safety
    share/expose/leak/disclose/publish/upload/send/sell/reveal personal_data/pii/user_data/customer_data/personal_information/private_data;
    send personal_data/pii/user_data/customer_data to third parties
anonymization = flag required safety / act
    +anonymize; +anonymise; anonymization; anonymized data; pseudonymize; pseudonymization; +mask/redact personal data; +mask pii; redact pii
deleting_data = flag allowed safety / act
    delete data/record/user_data/customer_data/database; drop table/database; truncate table; data deletion; destroy data; wipe data/disk;
    wipe database; data loss; lose data
backups = flag required safety / make have act
    backup; back up; take backup; +back up first; +backup first
encryption = flag required safety / use
    encryption; encrypt; encrypted; encryption at rest; encrypt at rest; encrypted storage

[travel]
car_rental = flag allowed / use take
    car rental; rental car; rent car; hire car; rented car
driving = flag allowed / act
    driving; drive; drive car
flights = flag allowed / use take
    flight; flying; fly; plane; air travel; by plane
red_eye_flights = flag allowed / use take
    red eye; red eye flight; overnight flight; night flight
layovers = flag allowed / have
    layover; stopover; stop over; connecting flight
hostels = flag allowed / use stay
    hostel; dorm; dorm room; shared room; shared dorm
far_out_lodging = flag allowed / use stay
    far out lodging; far out hotel; hotel outside center; lodging far from center; hotel outside centre; lodging outside center
museums = flag allowed / visit
    museum; art gallery; art museum
nightlife = flag allowed / visit
    nightlife; nightclub; night club; clubbing
guided_tours = flag allowed / take
    guided tour; group tour; tour group; bus tour; organized tour; organised tour
early_mornings = flag allowed / have
    early morning; early start; early departure; start early; get up early
long_walks = flag allowed / take
    long walk; walk far; hiking; hike; lot of walking
seafood = flag allowed / eat
    seafood; shellfish
meat = flag allowed / eat
    meat; !vegetarian; !vegetarian food; !vegetarian meal; !meat free
nuts = flag allowed / eat
    nut; peanut; tree nut; !nut free
gluten = flag allowed / eat
    gluten; !gluten free; !gluten free food
alcohol = flag allowed / eat
    alcohol; alcoholic drink; !alcohol free
rainy_day_alternatives = flag required / make
    rainy day alternative/option/plan; rain plan; bad weather plan; indoor alternative; plan b for rain
travel_insurance = flag required / have
    travel insurance; trip insurance; cancellation insurance
free_cancellation = flag required / have
    free cancellation; refundable; refundable booking; cancellable booking; flexible booking
wheelchair_access = flag required / have
    wheelchair access; wheelchair accessible; step free access; barrier free
air_conditioning = flag required / have
    air conditioning; ac in room; air con
breakfast_included = flag required / have
    breakfast included; breakfast; hotel breakfast
trip_length = quantity equals in:time / have use stay
    trip; trip length; number of days; trip days; length of trip; length of stay
night_count = quantity equals / have use stay
    night; number of nights; hotel night; overnight stay
traveler_count = quantity equals / have use
    traveler; traveller; guest; people in group; number of travelers; group size; passenger
adult_count = quantity equals / have use
    adult; number of adults
child_count = quantity equals / have use
    child; kid; children; number of children
trip_budget = quantity equals in:money / have use spend
    trip budget; travel budget; budget; total budget; budget for trip; overall budget
daily_budget = quantity equals in:money / have use spend
    daily budget; budget per day; budget day; per day budget
hotel_price = quantity equals in:money / spend have use
    price per night; hotel price; room price; hotel budget; cost per night
walking_distance = quantity equals in:length / have use
    walking distance; walk distance; distance on foot
daily_stops = quantity equals / have use
    stop per day; sight per day; activity per day; sights day; activities day; stops day
transport_mode = choice selected / use take
    transport mode; transport; transportation; means of transport; way of getting around
lodging_type = choice selected / use stay
    lodging; lodging type; accommodation; accommodation type; place to stay
travel_pace = choice selected / have
    pace; travel pace; trip pace; pace of trip
cabin_class = choice selected / use take
    cabin class; flight class; seat class
day_trip = choice selected / take visit
    day trip; excursion; day excursion; day trip destination; day trip to
destination = text equals / visit
    destination; trip destination; travel destination; where we go
departure_date = text equals
    departure date; departure; date of departure; start date of trip; leaving date; depart on
return_date = text equals
    return date; date of return; end date of trip; fly back on; come back on
home_airport = text equals
    home airport; departure airport; airport of departure
payments = flag allowed safety / act
    payment; pay; real/live payment; charge card/customer/users; purchase; buy; buy anything; spend money; money transfer; transfer money;
    financial transaction; live charge
bookings = flag allowed safety / act
    booking; reservation; book hotel/flight/ticket; book anything; make reservation; confirm booking

[writing]
citations = flag required / make use add
    citation; cite source; reference to sources; source reference; cite
invented_citations = flag allowed / make use act
    invented/fake/made_up/fabricated/hallucinated citation/reference/source; invent/fabricate/make_up citation/reference/source;
    citation that does not exist
new_claims = flag allowed / make add act
    new claim; new result; unsupported claim; claim without evidence; overclaim; overclaiming; make new claims
emoji = flag allowed / use add
    emoji; emojis; emoticon; smiley
jargon = flag allowed / use
    jargon; technical jargon; buzzword; corporate speak; !plain language; !simple language
passive_voice = flag allowed / use
    passive voice; passive; !active voice
first_person = flag allowed / use
    first person; first person voice; first person singular; use i or we
contractions = flag allowed / use
    contraction; contracted form
bullet_points = flag allowed / use make
    bullet point; bullet; bullet list; bulleted list; bulleted point
headings = flag required / use make add
    heading; section heading; subheading; section title
summary_tables = flag required / use make add
    comparison table; results table; table of results; summary table
figures = flag required / use make add
    figure; diagram; illustration; mermaid diagram
abstract = flag required / make add have
    abstract; executive summary; tldr
limitations_section = flag required / make add have
    limitations section; limitation; section on limitations; discussion of limitations
related_work = flag required / make add have
    related work; related work section; literature review; prior work section
quotations = flag allowed / use add
    direct quote; quotation; direct quotation; verbatim quote
non_ascii = flag allowed / use
    non ascii; non ascii character; unicode character; unicode symbol; !ascii only; !ascii only notation; !only ascii; !pure ascii
em_dashes = flag allowed / use
    em dash; em dashes; long dash
spoilers = flag allowed / make use
    spoiler; plot spoiler; give away ending
word_count = quantity equals / have use make
    word; word count; number of words; length in words; word limit
page_count = quantity equals / have use make
    page; page count; number of pages; page limit
paragraph_count = quantity equals / have use make
    paragraph; number of paragraphs; paragraph count
sentence_count = quantity equals / have use make
    sentence; number of sentences; sentence count
section_count = quantity equals / have use make
    section; number of sections; chapter; number of chapters
source_count = quantity equals / have use
    source; number of sources; reference; number of references; bibliography entry
example_count = quantity equals / have use make none
    example; number of examples; worked example
reading_time = quantity equals in:time / have use
    reading time; read time; time to read; speaking time; talk length
slide_count = quantity equals / have use make
    slide; number of slides; slide count
tone = choice selected / use have make
    tone; tone of voice; writing tone; writing style
citation_style = choice selected / use
    citation style; reference style; bibliography style; citation format
output_language = choice selected / use make
    output language; answer language; language of text; language of answer
spelling = choice selected / use
    spelling; spelling variant; english variant
document_format = choice selected / use make
    document format; markup; markup language; document markup
point_of_view = choice selected / use
    point of view; narrative perspective; narrator; narration
tense = choice selected / use
    tense; narrative tense; grammatical tense
audience = text equals
    audience; target audience; intended reader; target reader; readership
title = text equals / use
    title; working title; paper title; document title
deadline = text equals / have
    deadline; due date; due on; due by; submission deadline; delivery date; ship date; release date
venue = text equals
    venue; target venue; target journal; target conference
research_question = text equals
    research question; main question; hypothesis; working hypothesis
medical_advice = flag allowed safety / make
    medical advice; diagnosis; give medical advice; health advice; treatment advice
legal_advice = flag allowed safety / make
    legal advice; give legal advice
financial_advice = flag allowed safety / make
    financial advice; investment advice; give financial advice
plagiarism = flag allowed safety / act
    plagiarize; plagiarise; plagiarism; copy text verbatim; copy from sources; copyrighted text
embargo = flag required safety
    embargo; under embargo; embargoed; confidential; confidentiality; +keep confidential; nda; under nda
"""

# What can be chosen: `Value = alias; alias | Value`; value itself is alias too. `?` marks word that means value only beside
# name of its row or another of its values: "tabs over spaces", "tone: formal".
LEXICON_CHOICES = """
rendering_backend
    Canvas = html canvas; html5 canvas; canvas 2d; canvas api; canvas element | SVG = svg element | WebGL = web gl; webgl2 | WebGPU |
    DOM = dom node; dom element
programming_language
    JavaScript = js; plain js; plain javascript; ecmascript | TypeScript = ts | Python = python3; python 3 | Rust | Golang = go language; ?go |
    Java | Kotlin | ?Swift = swift language | C++ = cpp | C# = csharp | Ruby | PHP | Bash = bash script; shell script | Scala | Elixir | Haskell
frontend_framework
    React = reactjs; react.js | Vue = vuejs; vue.js | Svelte = sveltekit | Angular | Next.js = nextjs | jQuery | htmx |
    vanilla JS = vanilla javascript; ?vanilla
backend_framework
    FastAPI = fast api | Flask | Django | Express.js = expressjs; ?express | NestJS = nest.js | Spring Boot = ?spring | Rails = ruby on rails |
    Laravel
styling
    Tailwind = tailwind css; tailwindcss | CSS modules = css module | ?Bootstrap = bootstrap css | styled-components = styled component |
    Sass = scss | plain CSS = vanilla css; hand written css
database
    Postgres = postgresql; ?pg | MySQL | MariaDB | SQLite = sqlite3 | MongoDB = mongo | DynamoDB | DuckDB | ?Cassandra = apache cassandra |
    ?Oracle = oracle database | SQL Server = mssql | BigQuery | ?Snowflake | ClickHouse
cache_store
    Redis | Memcached | Valkey
message_queue
    RabbitMQ = rabbit mq | Kafka = apache kafka | ?Celery = celery worker | SQS = amazon sqs | ?NATS | ?Sidekiq |
    FastAPI background tasks = fastapi backgroundtasks; backgroundtasks
object_storage
    S3 = amazon s3; aws s3 | MinIO | Google Cloud Storage = gcs | Azure Blob
api_style
    REST API = restful; restful api; rest endpoint; ?rest | GraphQL | gRPC | WebSocket = websockets | tRPC | SOAP API = ?soap |
    server-sent events = sse; server sent event
package_manager
    npm | ?yarn | pnpm | ?pip | ?Poetry | ?uv | conda | ?cargo
test_runner
    pytest | unittest | ?Jest | Vitest | ?Mocha | JUnit | Playwright | ?Cypress
bundler_choice
    Vite | Webpack | esbuild | ?Rollup | ?Parcel
linter
    ESLint | Prettier | Ruff | ?Black = black formatter | Pylint | mypy | ?Biome
indentation
    ?tabs = hard tab | ?spaces = soft tab | ?two spaces = ?2 spaces; two space indent; 2 space indent |
    ?four spaces = ?4 spaces; four space indent; 4 space indent
naming_style
    snake_case | camelCase = camel case; lower camel case | PascalCase = pascal case; upper camel case | kebab-case
version_control_flow
    trunk-based = trunk based development | gitflow = git flow | merge commits
hosting
    AWS = amazon web services | GCP = google cloud | Azure | Vercel | Netlify | Heroku | Fly.io | GitHub Pages |
    on-premises = on prem; self hosted; self hosting | Kubernetes = k8s
authentication_method
    OAuth = oauth2; oauth 2 | JWT = json web token | SAML | passkeys | magic links | basic auth | API key login | session cookies
module_system
    ES modules = esm | CommonJS = cjs
table_library
    pandas | ?Polars | Dask | PySpark = apache spark | numpy
file_format
    CSV = csv file | JSON = json file | JSON Lines = jsonl; ndjson | Parquet = parquet file | Excel = xlsx; excel file | YAML = yml | TOML | XML |
    HTML = html file | PDF = pdf file | Avro | TSV
delimiter
    ?comma | ?semicolon | ?tab character = tab delimited | ?pipe character = pipe delimited
text_encoding
    UTF-8 = utf8 | Latin-1 = iso 8859 1; latin1 | UTF-16 = utf16 | Windows-1252 = cp1252
date_format
    ISO 8601 = iso date; iso 8601 date; ?iso | Unix time = unix timestamp; epoch second | DD/MM/YYYY | MM/DD/YYYY | YYYY-MM-DD
statistical_test
    t-test = student t test | ANOVA | chi-square = chi square test; chi squared test | Mann-Whitney = mann whitney u | Wilcoxon
plot_library
    matplotlib | seaborn | Plotly | ?Altair | D3 = d3.js | Chart.js = chartjs | Recharts | ?Vega
query_language
    SQL = plain sql | ?Cypher | SPARQL
transport_mode
    public transport = public transit; public transportation; ?metro; ?subway; ?tram | ?train = by train; take train; ?rail |
    ?bus = by bus; take bus | taxi = ?cab; ?uber; ride share | ?car = by car; rental car travel | ?bicycle = ?bike; by bike; ?cycling |
    on foot = ?walking | ?ferry = by ferry
lodging_type
    hotel = boutique hotel | ?apartment = holiday apartment; airbnb; ?flat | guesthouse = guest house; bed and breakfast | ?campsite = ?camping
travel_pace
    ?relaxed = relaxed pace; slow pace; easy pace; ?slow | ?moderate = moderate pace | ?fast = fast pace; packed days; ?packed
cabin_class
    ?economy = economy class; coach class | premium economy | business class = business cabin | first class = first cabin
tone
    ?formal = formal tone | ?informal = informal tone; casual tone; conversational tone; ?casual; ?conversational | ?neutral = neutral tone |
    ?academic = academic tone; scholarly tone | ?friendly = friendly tone; warm tone; ?warm | ?persuasive = persuasive tone |
    ?humorous = humorous tone; ?funny
citation_style
    ?APA = apa style | ?MLA = mla style | ?Chicago = chicago style | ?IEEE = ieee style | ?Harvard = harvard style | BibTeX |
    ?Vancouver = vancouver style
output_language
    English | German = deutsch | French | Spanish | Italian | Portuguese | Dutch | ?Polish | Japanese | Chinese = mandarin | Korean | Russian |
    Ukrainian
spelling
    British English = british spelling; uk spelling; uk english; ?british |
    American English = american spelling; us spelling; us english; ?american
document_format
    Markdown = ?md | LaTeX = ?tex | plain text | Word document = docx; ms word | Google Docs | AsciiDoc | reStructuredText
point_of_view
    third person | second person | first-person narration
tense
    present tense = ?present | past tense = ?past
security_scope
    +defensive only = defensive; +defensive use only; +defensive security only; +only defensive; +defense only; +defence only |
    authorized testing = +authorized testing only; +authorised testing only; +authorized systems only |
    +own systems only = +our own systems only; +only own systems
"""
