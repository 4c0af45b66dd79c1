-- The trail's events in ClickHouse, from all machines: a copy for questions. The segments stay the evidence.
-- docs/operate/trail.md, "Past one machine", explains the way to here; the files in questions/ ask.
CREATE DATABASE IF NOT EXISTS trail;

-- The columns that the collector's clickhouse exporter inserts. The table keeps no row: the view below takes each line.
CREATE TABLE IF NOT EXISTS trail.otel_logs
(
    Timestamp DateTime64(9),
    TimestampTime DateTime DEFAULT toDateTime(Timestamp),
    TraceId String,
    SpanId String,
    TraceFlags UInt8,
    SeverityText LowCardinality(String),
    SeverityNumber UInt8,
    ServiceName LowCardinality(String),
    Body String,
    ResourceSchemaUrl LowCardinality(String),
    ResourceAttributes Map(LowCardinality(String), String),
    ScopeSchemaUrl LowCardinality(String),
    ScopeName String,
    ScopeVersion LowCardinality(String),
    ScopeAttributes Map(LowCardinality(String), String),
    LogAttributes Map(LowCardinality(String), String),
    EventName String
)
ENGINE = Null;

-- The events by the members for which questions search and count: docs/operate/trail.md names them. `line` is the event as it is in its
-- segment, byte for byte: the leaf of the segment's Merkle tree. `segment`, the name of its file, and `seq` say where it is.
-- Collectors may send an event twice, and rows of one event become one in time: questions read with FINAL.
CREATE TABLE IF NOT EXISTS trail.events
(
    segment LowCardinality(String),
    line String CODEC(ZSTD(3)),
    at DateTime64(3, 'UTC') DEFAULT parseDateTime64BestEffort(JSONExtractString(line, 'at'), 3, 'UTC') CODEC(Delta, ZSTD),
    seq UInt32 DEFAULT JSONExtract(line, 'seq', 'UInt32'),
    kind LowCardinality(String) DEFAULT JSONExtract(line, 'kind', 'LowCardinality(String)'),
    id String DEFAULT JSONExtract(line, 'id', 'String'),
    instance LowCardinality(String) DEFAULT JSONExtract(line, 'instance', 'LowCardinality(String)'),
    release LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'release', 'LowCardinality(Nullable(String))'),
    interactionId Nullable(String) DEFAULT JSONExtract(line, 'interactionId', 'Nullable(String)'),
    errorId Nullable(String) DEFAULT JSONExtract(line, 'errorId', 'Nullable(String)'),
    listener LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'listener', 'LowCardinality(Nullable(String))'),
    method LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'method', 'LowCardinality(Nullable(String))'),
    endpoint LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'endpoint', 'LowCardinality(Nullable(String))'),
    apiVersion LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'apiVersion', 'LowCardinality(Nullable(String))'),
    status Nullable(UInt16) DEFAULT JSONExtract(line, 'status', 'Nullable(UInt16)'),
    firstByteMs Nullable(Float64) DEFAULT JSONExtract(line, 'firstByteMs', 'Nullable(Float64)'),
    lastByteMs Nullable(Float64) DEFAULT JSONExtract(line, 'lastByteMs', 'Nullable(Float64)'),
    bytes Nullable(UInt64) DEFAULT JSONExtract(line, 'bytes', 'Nullable(UInt64)'),
    issuer LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'issuer', 'LowCardinality(Nullable(String))'),
    tpp LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'tpp', 'LowCardinality(Nullable(String))'),
    consent Nullable(String) DEFAULT JSONExtract(line, 'consent', 'Nullable(String)'),
    acr LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'acr', 'LowCardinality(Nullable(String))'),
    error LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'error', 'LowCardinality(Nullable(String))'),
    refusedBy LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'refusedBy', 'LowCardinality(Nullable(String))'),
    reason LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'reason', 'LowCardinality(Nullable(String))'),
    core LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'core', 'LowCardinality(Nullable(String))'),
    coreMs Nullable(Float64) DEFAULT JSONExtract(line, 'coreMs', 'Nullable(Float64)'),
    coreFault LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'coreFault', 'LowCardinality(Nullable(String))'),
    attended Nullable(Bool) DEFAULT JSONExtract(line, 'attended', 'Nullable(Bool)'),
    unattended LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'unattended', 'LowCardinality(Nullable(String))'),
    product LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'product', 'LowCardinality(Nullable(String))'),
    rows Nullable(UInt32) DEFAULT JSONExtract(line, 'rows', 'Nullable(UInt32)'),
    count Nullable(UInt32) DEFAULT JSONExtract(line, 'count', 'Nullable(UInt32)'),
    badRecords Nullable(UInt32) DEFAULT JSONExtract(line, 'badRecords', 'Nullable(UInt32)'),
    customer Nullable(String) DEFAULT JSONExtract(line, 'customer', 'Nullable(String)'),
    account Nullable(String) DEFAULT JSONExtract(line, 'account', 'Nullable(String)'),
    event LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'event', 'LowCardinality(Nullable(String))'),
    step LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'step', 'LowCardinality(Nullable(String))'),
    command LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'command', 'LowCardinality(Nullable(String))'),
    outcome LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'outcome', 'LowCardinality(Nullable(String))'),
    by LowCardinality(Nullable(String)) DEFAULT JSONExtract(line, 'by', 'LowCardinality(Nullable(String))'),
    INDEX ids (id, interactionId, errorId) TYPE bloom_filter(0.001),
    INDEX customers customer TYPE bloom_filter(0.001)
)
ENGINE = ReplacingMergeTree
PARTITION BY toDate(at)
ORDER BY (kind, at, segment, seq)
SETTINGS ttl_only_drop_parts = 1;

-- A line that is no event, such as half a line of a process that died, is skipped, and so are records of other services.
CREATE MATERIALIZED VIEW IF NOT EXISTS trail.events_of_logs TO trail.events AS
SELECT replaceRegexpOne(LogAttributes['log.file.name'], '([.]open)?[.]ndjson$', '') AS segment, Body AS line
FROM trail.otel_logs
WHERE ServiceName = 'account-information-gateway' AND JSONExtractString(line, 'kind') <> ''
    AND parseDateTime64BestEffortOrNull(JSONExtractString(line, 'at')) IS NOT NULL;
