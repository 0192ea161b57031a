import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownRevisions } from '@trunkline/mcp/relay'
import { readJson } from './document/json.ts'
import { effectiveConfig } from './effective.ts'
import { environmentDocument, flagsDocument } from './layers/environment.ts'
import { describeExplanation } from './layers/explain.ts'
import { type LayerName, readLayer } from './layers/layer.ts'
import { describeProblem } from './problem.ts'

function layer(name: LayerName, value: unknown) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return readLayer(name, readJson(`/${name}.json`, text))
}

const refuse = () => false
const accept = () => true

const user = layer('user', {
  mcpServers: {
    github: { command: 'npx', args: ['server-github'], env: { TOKEN: 'secret:github' }, callTimeoutMs: 60_000 },
    files: { command: 'files', tools: { only: ['read', 'list'], except: ['rm'] } },
  },
  policy: { allow: ['github:get_*'], mode: 'enforce' },
  host: { port: 4000 },
})

test('effectiveConfig: stronger layers win, value by value', () => {
  const local = layer('local', { host: { callsPerMinute: 5, maxResultKb: 5 } })
  const environment = readLayer(
    'environment',
    environmentDocument({ TRUNKLINE_HOST_CALLS_PER_MINUTE: '7', OTHER: 'x' }),
  )
  const flags = readLayer('flags', flagsDocument({ 'host.port': '0', 'policy.mode': 'observe' }))
  const { settings, problems } = effectiveConfig([user, local, environment, flags], refuse)
  assert.deepEqual(problems, [])
  assert.deepEqual(settings.host, { port: 0, callsPerMinute: 7, maxResultKb: 5 })
  assert.equal(settings.policy?.mode, 'observe')
})

test('effectiveConfig: a layer that defines a server replaces it, one that does not adjusts it', () => {
  const adjusting = layer('local', { mcpServers: { github: { callTimeoutMs: 5_000 } } })
  const defining = layer('local', { mcpServers: { github: { url: 'https://example.com/mcp' } } })
  const adjusted = effectiveConfig([user, adjusting], refuse).servers.find(({ name }) => name === 'github')
  assert.equal(adjusted?.entry.command, 'npx')
  assert.equal(adjusted?.entry.callTimeoutMs, 5_000)
  const replaced = effectiveConfig([user, defining], refuse).servers.find(({ name }) => name === 'github')
  assert.deepEqual(replaced?.entry, { url: 'https://example.com/mcp' })
  assert.deepEqual(replaced?.place, { layer: 'local', file: '/local.json', line: 3 })
})

test('effectiveConfig: rules of every layer count, each with its own line', () => {
  const project = layer('project', '{ "policy": {\n "deny": [\n  "*:delete_*",\n  "*:drop_*"\n ] } }')
  const { rules } = effectiveConfig([user, project], refuse)
  assert.deepEqual(
    rules.map(({ effect, rule, source }) => `${effect} ${rule} ${source.layer}:${source.line}`),
    ['allow github:get_* user:28', 'deny *:delete_* project:3', 'deny *:drop_* project:4'],
  )
})

const loosening = {
  'a server': { mcpServers: { evil: { command: 'curl' } } },
  'another program under a known name': { mcpServers: { github: { command: 'curl' } } },
  'arguments of a known program': { mcpServers: { github: { args: ['-e', 'evil'] } } },
  'the environment of a known program': { mcpServers: { github: { env: { LD_PRELOAD: 'x' } } } },
  'a server that was turned off': { mcpServers: { github: { disabled: false } } },
  'a longer time limit': { mcpServers: { github: { callTimeoutMs: 70_000 } } },
  'a time limit where there was none': { mcpServers: { files: { callTimeoutMs: 70_000 } } },
  'other tools': { mcpServers: { files: { tools: { only: ['read', 'write'] } } } },
  'a class': { mcpServers: { files: { classes: { rm: 'reads' } } } },
  'a rule that allows': { policy: { allow: ['*:*'] } },
  'watching instead of asking': { policy: { mode: 'observe' } },
  'a profile': { profiles: { all: {} } },
  'more calls': { host: { callsPerMinute: 100_000 } },
  'a webhook': { notify: { webhook: 'https://evil.example' } },
  'less of a record': { ledger: { record: 'off' } },
}

for (const [what, value] of Object.entries(loosening)) {
  test(`effectiveConfig: an unaccepted file of a project cannot bring ${what}`, () => {
    const before = effectiveConfig([user], refuse)
    const after = effectiveConfig([user, layer('project', value)], refuse)
    assert.deepEqual(after.settings, before.settings)
    assert.deepEqual(after.rules, before.rules)
    assert.equal(after.waiting.length, 1)
    assert.equal(after.waiting[0]?.file, '/project.json')
    const accepted = effectiveConfig([user, layer('project', value)], accept)
    assert.notDeepEqual(accepted.settings, before.settings)
    assert.deepEqual(accepted.waiting, [])
  })
}

const hostWide = {
  'no care about where data goes': { policy: { taint: 'off' } },
  'a port': { host: { port: 1 } },
  'a model': { models: { best: { provider: 'compatible' } } },
  'more use of a model': { model: { budget: { tokensPerDay: 900_000_000 } } },
  'how long the record is kept': { ledger: { chainDays: 1 } },
}

for (const [what, value] of Object.entries(hostWide)) {
  test(`effectiveConfig: a project's file cannot bring ${what}, with a problem by name; accepted before, it is a warning`, () => {
    const before = effectiveConfig([user], refuse)
    const refused = effectiveConfig([user, layer('project', value)], refuse)
    assert.deepEqual(refused.settings, before.settings)
    assert.deepEqual(refused.waiting, [])
    const [problem] = refused.problems
    assert.match(problem?.problem ?? '', /counts for the whole host|can only be made stricter/)
    assert.equal(problem?.isWarning, undefined)
    // the hash of the acceptance is of the file as it was read then, with the setting
    const allow = { policy: { ...('policy' in value && value.policy), allow: ['*:*'] } }
    const accepted = effectiveConfig([user, layer('project', { ...value, ...allow })], accept)
    assert.deepEqual(accepted.waiting, [])
    assert.deepEqual(
      accepted.settings,
      effectiveConfig([user, layer('project', { policy: { allow: ['*:*'] } })], accept).settings,
    )
    assert.deepEqual(
      accepted.problems.map(({ key, isWarning }) => [key, isWarning]),
      [[problem?.key, true]],
    )
  })
}

test('effectiveConfig: a project may tighten without being accepted', () => {
  const project = layer('project', {
    mcpServers: {
      github: { disabled: true, callTimeoutMs: 1_000 },
      files: { tools: { only: ['read'], except: ['list'] } },
    },
    policy: { deny: ['*:delete_*'], ask: ['github:*'], taint: 'strict', definitions: 'strict', mode: 'enforce' },
  })
  const { settings, servers, waiting, rules } = effectiveConfig([user, project], refuse)
  const [github, files] = servers
  assert.equal(github?.entry.disabled, true)
  assert.equal(github?.entry.callTimeoutMs, 1_000)
  assert.deepEqual(files?.entry.tools, { only: ['read'], except: ['rm', 'list'] })
  assert.equal(settings.policy?.taint, 'strict')
  assert.deepEqual(
    rules.map(({ effect }) => effect),
    ['allow', 'deny', 'ask'],
  )
  // the limits depend on the values they are compared with, so a person has to look at them
  assert.deepEqual(
    waiting.flatMap((one) => one.settings.map(({ path }) => path.join('.'))),
    ['mcpServers.github.callTimeoutMs', 'mcpServers.files.tools.only'],
  )
})

test('effectiveConfig: every layer adds to the decisions that need a proof, and none takes one away', () => {
  const own = layer('user', { policy: { proof: ['policy'] } })
  const project = layer('project', { policy: { proof: ['destroys'] } })
  const empty = layer('local', { policy: { proof: [] } })
  const { settings, waiting } = effectiveConfig([own, project, empty], refuse)
  assert.deepEqual(settings.policy?.proof, ['policy', 'destroys'])
  assert.deepEqual(waiting, [])
})

test('effectiveConfig: an acceptance holds for permits, not for comments and tightening', () => {
  const hash = (text: string) => effectiveConfig([layer('project', text)], refuse).waiting[0]?.hash
  const first = hash('{ "policy": { "allow": ["a:b"] } }')
  assert.equal(hash('{ // now with a comment\n "policy": { "deny": ["c:d"], "allow": ["a:b"] } }'), first)
  assert.notEqual(hash('{ "policy": { "allow": ["a:*"] } }'), first)
  assert.equal(hash('{ "policy": { "deny": ["c:d"] } }'), undefined)
})

test('effectiveConfig: adjusting a server that is not there is nothing', () => {
  const { servers, problems } = effectiveConfig([layer('project', { mcpServers: { x: { disabled: true } } })], refuse)
  assert.deepEqual(servers, [])
  assert.deepEqual(problems, [])
})

const mistakes: readonly (readonly [value: unknown, sentence: string])[] = [
  [
    { mcpServers: { a: {} } },
    '/user.json:3: mcpServers.a has neither "command" nor "url"; write which program to start, or the address',
  ],
  [
    { mcpServers: { a: { command: 'x', url: 'http://y' } } },
    '/user.json:5: mcpServers.a.url stands beside "command"; remove one of the two',
  ],
  [
    { mcpServers: { a: { url: 'http://y', type: 'stdio' } } },
    '/user.json:5: mcpServers.a.type is "stdio"; write "http" or "sse"',
  ],
  [
    { mcpServers: { a: { command: 'x', args: 'y' } } },
    '/user.json:5: mcpServers.a.args is a text; write a list in square brackets',
  ],
  [
    { mcpServers: { a: { command: 'x', env: { K: 1 } } } },
    '/user.json:6: mcpServers.a.env.K is a number; write a text in double quotes',
  ],
  [
    { mcpServers: { a: { url: 'ftp://y' } } },
    '/user.json:4: mcpServers.a.url is no address of a server; write one that begins with https:// or http://',
  ],
  [
    { mcpServers: { a: { url: 'http://y', headers: { K: 'a\nb' } } } },
    '/user.json:6: mcpServers.a.headers.K holds a line end or a NUL character; remove it',
  ],
  [
    { mcpServers: { a: { command: 'x\0' } } },
    '/user.json:4: mcpServers.a.command names no program; write its name or its path',
  ],
  [
    { mcpServers: { a: { command: 'x', disable: true } } },
    '/user.json:5: mcpServers.a.disable is no key that is known here; did you mean "disabled"',
  ],
  [
    { mcpServers: { a: { command: 'x', sharing: 'all' } } },
    '/user.json:5: mcpServers.a.sharing is "all"; write "shared" or "project" or "caller"',
  ],
  [
    { mcpServers: { a: { command: 'x', revision: '2025-06-17' } } },
    `/user.json:5: mcpServers.a.revision is "2025-06-17"; write ${knownRevisions.map((date) => `"${date}"`).join(' or ')}`,
  ],
  [{ mcpServers: [] }, '/user.json:2: mcpServers is a list; write a table in braces'],
  [{ host: { port: 70_000 } }, '/user.json:3: host.port is 70000; write a whole number from 0 to 65535'],
  [{ policy: { allow: 'a:b' } }, '/user.json:3: policy.allow is a text; write a list in square brackets'],
]

for (const [value, sentence] of mistakes) {
  test(`effectiveConfig: ${sentence}`, () => {
    const good = { command: 'good' }
    const whole = { ...(value as object) } as { mcpServers?: object }
    const { problems, servers } = effectiveConfig(
      [layer('user', whole), layer('local', { mcpServers: { good } })],
      refuse,
    )
    assert.deepEqual(problems.map(describeProblem), [sentence])
    // the rest is usable
    assert.deepEqual(servers.find(({ name }) => name === 'good')?.problems, [])
    for (const server of servers.filter(({ name }) => name === 'a')) assert.equal(server.problems.length, 1)
  })
}

test('effectiveConfig: a key that other programs use is named with ours, and the server runs', () => {
  const { problems, servers } = effectiveConfig(
    [layer('user', { mcpServers: { a: { command: 'x', autoApprove: ['y'], zzz: 1 } } })],
    refuse,
  )
  assert.deepEqual(problems.map(describeProblem), [
    '/user.json:5: mcpServers.a.autoApprove is no key that is known here; write "policy.allow" instead',
    '/user.json:8: mcpServers.a.zzz is no key that is known here; remove it',
  ])
  assert.deepEqual(servers[0]?.problems, [])
})

test('effectiveConfig: names become slugs and are said so; two that become one are refused', () => {
  const { problems, servers } = effectiveConfig(
    [layer('user', { mcpServers: { 'My Server': { command: 'x' }, 'my-server': { command: 'y' } } })],
    refuse,
  )
  assert.deepEqual(
    servers.map(({ name, place }) => `${name} ${place.line}`),
    ['my-server 3'],
  )
  assert.deepEqual(problems.map(describeProblem), [
    '/user.json:3: mcpServers."My Server" is used as "my-server"; name it so: a to z, 0 to 9 and -',
    '/user.json:6: mcpServers.my-server has the same name as "My Server"; give it another one',
  ])
})

test('effectiveConfig: the value of a broken setting is never shown, as it may be a secret', () => {
  const hidden = 'hunter2-hunter2'
  const { problems } = effectiveConfig(
    [layer('user', { mcpServers: { a: { url: hidden, headers: { K: `${hidden}\n` }, env: [hidden] } } })],
    refuse,
  )
  assert.ok(problems.length >= 3)
  assert.doesNotMatch(problems.map(describeProblem).join(), /hunter2/)
})

test('explain: the origin of a value, the values it hid, and those that wait', () => {
  const project = layer('project', { host: { port: 1, callsPerMinute: 9_000 } })
  const flags = readLayer('flags', flagsDocument({ 'host.port': 9 }))
  const config = effectiveConfig([user, project, flags], refuse)
  assert.deepEqual(config.explain('host.port').flatMap(describeExplanation), [
    'host.port = 9',
    '  wrong: /project.json:3: host.port counts for the whole host, not for a project; remove it here, and write it in your own file',
    '  from flags the command line:1 9',
    '  hides user /user.json:33 4000',
  ])
  assert.deepEqual(config.explain('host.callsPerMinute').flatMap(describeExplanation), [
    'host.callsPerMinute = 6000',
    '  waits to be accepted: project /project.json:4 9000',
  ])
})

test('explain: the usual value, no value, and all below a key', () => {
  const config = effectiveConfig([user], refuse)
  assert.deepEqual(config.explain('ledger.keepDays').flatMap(describeExplanation), [
    'ledger.keepDays = 14 (the default, no file sets it)',
  ])
  assert.deepEqual(config.explain('model.use').flatMap(describeExplanation), ['model.use is not set'])
  assert.deepEqual(
    config.explain('mcpServers.github').map(({ key }) => key),
    [
      'mcpServers.github.command',
      'mcpServers.github.args',
      'mcpServers.github.env.TOKEN',
      'mcpServers.github.callTimeoutMs',
    ],
  )
  assert.throws(() => config.explain('..'), /Cannot read the key/)
})

test('explain: a wrong value is named, with its place and the value in effect instead', () => {
  const config = effectiveConfig([layer('user', { pipe: { maxSteps: 'many', maxNesting: 2 } })], refuse)
  assert.deepEqual(config.explain('pipe.maxSteps').flatMap(describeExplanation), [
    'pipe.maxSteps = 100 (the default, as what a file says is wrong)',
    '  wrong: /user.json:3: pipe.maxSteps is "many"; write a whole number from 1 to 10000',
  ])
  assert.deepEqual(
    config.explain('pipe').map(({ key }) => key),
    ['pipe.maxNesting', 'pipe.maxSteps'],
  )
  const whole = effectiveConfig([layer('user', { pipe: 3 })], refuse).explain('pipe.maxSteps')
  assert.match(whole.flatMap(describeExplanation).join('\n'), /= 100[\s\S]*wrong: \/user\.json:2: pipe is a number/)
})

test('explain: literal secrets are masked, references are shown', () => {
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123'
  const config = effectiveConfig(
    [
      layer('user', {
        mcpServers: { a: { command: 'x', args: ['--token', secret], env: { A_TOKEN: 'abcdefgh', B: 'secret:b' } } },
      }),
    ],
    refuse,
  )
  const lines = config.explain('mcpServers.a').flatMap(describeExplanation).join('\n')
  assert.doesNotMatch(lines, /ghp_|abcdefgh/)
  assert.match(lines, /"\*{8}"/)
  assert.match(lines, /secret:b/)
})

test('effectiveConfig: an environment variable that does not fit is named', () => {
  const environment = readLayer(
    'environment',
    environmentDocument({ TRUNKLINE_HOST_PORT: 'many', TRUNKLINE_NOTIFY_DESKTOP: 'false' }),
  )
  const { problems, settings } = effectiveConfig([environment], refuse)
  assert.deepEqual(problems.map(describeProblem), [
    'the environment:1: host.port is "many"; write a whole number from 0 to 65535',
  ])
  assert.equal(settings.notify?.desktop, false)
})

test('effectiveConfig: a thousand servers are joined in no time to speak of', () => {
  const many = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [`s${at}`, { command: 'x', args: ['a'], env: { A: 'b' } }]),
  )
  const { servers } = effectiveConfig(
    [layer('user', { mcpServers: many }), layer('project', { mcpServers: many })],
    refuse,
  )
  assert.equal(servers.length, 1_000)
})
