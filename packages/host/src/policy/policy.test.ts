import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Fields } from '@trunkline/mcp'
import type { Act } from '../act/act.ts'
import { explain } from './explain.ts'
import { parseRule } from './parse-rule.ts'
import { Policy } from './policy.ts'
import type { Effect, RuleText } from './rule.ts'

const source = { layer: 'user', file: 'trunkline.json', line: 7 }

function policyOf(rules: { readonly [One in Effect]?: readonly RuleText[] }, mode?: 'observe'): Policy {
  const parsed = (['allow', 'ask', 'deny'] as const).flatMap((effect) =>
    (rules[effect] ?? []).map((text) => parseRule(effect, text, source)),
  )
  return new Policy({ rules: parsed, ...(mode && { mode }) })
}

function call(target: string, args: Fields = {}, more: Partial<Act> = {}): Act {
  return {
    id: 'act-1',
    kind: 'call',
    principal: { id: 'p1', name: 'claude-code', isApprover: false },
    project: '/home/ada/work',
    server: 'files',
    serverKey: 'files',
    target,
    arguments: args,
    definition: undefined,
    class: 'writes',
    effects: [],
    trace: '0af7651916cd43dd8448eb211c80319c',
    at: 0,
    ...more,
  }
}

describe('Policy.judge', () => {
  it('by default: reads are allowed, everything else asks', () => {
    const policy = policyOf({})
    assert.equal(policy.judge(call('read_file', {}, { class: 'reads' })).effect, 'allow')
    for (const one of ['writes', 'destroys', 'unknown'] as const) {
      assert.equal(policy.judge(call('x', {}, { class: one })).effect, 'ask', one)
    }
  })

  it('rules that can concern an act are looked up once; the cache of that is limited', () => {
    const policy = policyOf({ allow: ['files:*'] })
    const first = policy.candidates(call('tool-0'))
    assert.equal(policy.candidates(call('tool-0')), first)
    for (let at = 1; at <= 10_000; at += 1) policy.candidates(call(`tool-${at}`))
    const again = policy.candidates(call('tool-0'))
    assert.notEqual(again, first)
    assert.deepEqual(again, first)
  })

  it('a rule that ends allows until then, and is none afterwards', (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-12-24T17:59:00Z') })
    const policy = policyOf({ allow: [{ match: 'files:*', until: '2026-12-24T18:00:00Z' }] })
    assert.equal(policy.judge(call('write')).effect, 'allow')
    t.mock.timers.tick(60_000)
    assert.equal(policy.judge(call('write')).effect, 'ask')
    assert.deepEqual(policy.candidates(call('write')), [])
    for (const until of ['tomorrow', '2026-12-24', 7 as unknown as string]) {
      assert.throws(() => parseRule('allow', { match: 'files:*', until }, source), /must be a time such as/)
    }
  })

  it('by default: a model is asked for nothing unasked, lists and reads pass', () => {
    const policy = policyOf({})
    assert.equal(policy.judge(call('', {}, { kind: 'sample' })).effect, 'ask')
    assert.equal(policy.judge(call('file:///x', {}, { kind: 'read' })).effect, 'allow')
    assert.equal(policy.judge(call('', {}, { kind: 'list' })).effect, 'allow')
  })

  it('the strictest rule wins, in whatever order they stand', () => {
    const policy = policyOf({ allow: ['files:*'], ask: ['files:write_*'], deny: ['*:write_all'] })
    assert.equal(policy.judge(call('write_all')).effect, 'deny')
    assert.equal(policy.judge(call('write_one')).effect, 'ask')
    assert.equal(policy.judge(call('move')).effect, 'allow')
  })

  it('a star for a tool does not reach other kinds of acts', () => {
    const policy = policyOf({ allow: ['files:*'] })
    assert.equal(policy.judge(call('', {}, { kind: 'sample' })).effect, 'ask')
    assert.equal(policyOf({ allow: ['files:@sample'] }).judge(call('', {}, { kind: 'sample' })).effect, 'allow')
  })

  it('rules see class, effects and principal', () => {
    const policy = policyOf({
      allow: [{ class: 'writes', principal: 'claude-*' }],
      deny: [{ match: 'files:*', effects: 'network' }],
    })
    assert.equal(policy.judge(call('write')).effect, 'allow')
    assert.equal(policy.judge(call('write', {}, { effects: ['network'] })).effect, 'deny')
    const principal = { id: 'p2', name: 'cursor', isApprover: true }
    assert.equal(policy.judge(call('write', {}, { principal })).effect, 'ask')
  })

  it('lists, completion and watching are never asked about', () => {
    for (const kind of ['list', 'complete', 'watch'] as const) {
      assert.equal(policyOf({}).judge(call('', {}, { kind })).effect, 'allow', kind)
      const verdict = policyOf({ ask: [`files:@${kind}`] }).judge(call('', {}, { kind }))
      assert.equal(verdict.effect, 'deny', kind)
      assert.match(verdict.why, /only allowed or denied/)
    }
  })

  it('mode observe: asks nothing, still denies', () => {
    const policy = policyOf({ deny: ['files:drop'] }, 'observe')
    assert.equal(policy.judge(call('write')).effect, 'allow')
    assert.equal(policy.judge(call('drop')).effect, 'deny')
  })
})

describe('conditions of a rule that allows', () => {
  const policy = policyOf({ allow: ['files:write_*{path~/tmp/**, size<=4096}'] })
  const verdictFor = (args: Fields) => policy.judge(call('write_file', args)).effect

  it('match arguments that are present and of the expected type', () => {
    assert.equal(verdictFor({ path: '/tmp/a/b.txt', size: 4096 }), 'allow')
    assert.equal(verdictFor({ path: '/tmp/a/b.txt' }), 'ask')
    assert.equal(verdictFor({ path: '/tmp/a', size: '12' }), 'ask')
    assert.equal(verdictFor({ path: ['/tmp/a', '/etc/b'], size: 1 }), 'ask')
    assert.equal(verdictFor({ path: ['/tmp/a', '/tmp/b'], size: 1 }), 'allow')
    assert.equal(verdictFor({ path: [], size: 1 }), 'ask')
  })

  it('match no path that can be read in two ways', () => {
    for (const path of [
      '/tmp/../etc/passwd',
      '/tmp/./x',
      '/tmp//x',
      '/tmp\\..\\x',
      '/tmp/%2e%2e/x',
      '/tmp/x\0.txt',
      'tmp/x',
    ]) {
      assert.equal(verdictFor({ path, size: 1 }), 'ask', path)
    }
  })

  it('enter lists and the objects in them, and want all that is there', () => {
    const policy = policyOf({ allow: ['files:write{files[].path~/tmp/**}'] })
    const verdict = (args: Fields) => policy.judge(call('write', args)).effect
    assert.equal(verdict({ files: [{ path: '/tmp/a' }, { path: '/tmp/b' }] }), 'allow')
    assert.equal(verdict({ files: [{ path: '/tmp/a' }, { path: '/etc/b' }] }), 'ask')
    assert.equal(verdict({ files: [{ path: '/tmp/a' }, { other: '/tmp/b' }] }), 'ask')
    assert.equal(verdict({ files: [{ path: ['/tmp/a', ['/etc/b']] }] }), 'ask')
    assert.equal(verdict({ files: [{ path: [] }] }), 'ask')
    assert.equal(verdict({ files: { path: '/tmp/a' } }), 'allow')
    assert.equal(verdict({ files: '[{"path":"/tmp/a"}]' }), 'ask')
    assert.equal(verdictFor({ path: { path: '/tmp/a' }, size: 1 }), 'ask')
  })

  it('with a pattern of text match no address', () => {
    const policy = policyOf({ allow: ['files:run{url~**.good.com}', 'files:run{any~**}'] })
    assert.equal(policy.judge(call('run', { url: 'api.good.com' })).effect, 'allow')
    assert.equal(policy.judge(call('run', { url: 'https://evil.com?.good.com' })).effect, 'ask')
    assert.equal(policy.judge(call('run', { any: 'https://evil.com?.good.com' })).effect, 'allow')
  })

  it('resolve paths in the folder of the server, and in the one that the call names', () => {
    const allow = (text: string) => parseRule('allow', text, source)
    const rules = [allow('files:write{path~/home/ada/work/**}')]
    const policy = new Policy({ rules, folderOf: () => '/home/ada/work/server' })
    assert.equal(policy.judge(call('write', { path: 'notes.txt' })).effect, 'allow')
    assert.equal(policy.judge(call('write', { path: 'notes.txt' }, { folder: '/home/bob' })).effect, 'ask')
    const elsewhere = new Policy({ rules, folderOf: () => '/srv/server' })
    assert.equal(elsewhere.judge(call('write', { path: 'notes.txt' })).effect, 'ask')
  })

  it('never see inherited members', () => {
    const policy = policyOf({ allow: ['files:run{constructor.name=Object}'] })
    assert.equal(policy.judge(call('run')).effect, 'ask')
    const denying = policyOf({ deny: ['files:run{constructor~**}'] })
    assert.equal(denying.judge(call('run')).effect, 'ask')
  })

  it('in the negative need the argument too', () => {
    const policy = policyOf({ allow: ['files:run{mode!=force}'] })
    assert.equal(policy.judge(call('run')).effect, 'ask')
    assert.equal(policy.judge(call('run', { mode: 'dry' })).effect, 'allow')
    assert.equal(policy.judge(call('run', { mode: true })).effect, 'ask')
  })
})

describe('conditions of a rule that denies', () => {
  const verdictFor = (pattern: string, args: Fields) => policyOf({ deny: [pattern] }).judge(call('write', args)).effect

  it('match every spelling of a path', () => {
    for (const path of [
      '/etc/passwd',
      '/tmp/../etc/passwd',
      '/etc//passwd',
      '/%65tc/passwd',
      '/%2565tc/passwd',
      '\\etc\\passwd',
      '/ETC/passwd',
      '../../../etc/passwd',
    ]) {
      assert.equal(verdictFor('files:write{path~/etc/**}', { path }), 'deny', path)
    }
    assert.equal(verdictFor('files:write{path~/etc/**}', { path: '/tmp/etc' }), 'ask')
  })

  it('in the negative match a value that is missing or leaves the permitted place under any reading', () => {
    assert.equal(verdictFor('files:write{path!~/tmp/**}', {}), 'deny')
    assert.equal(verdictFor('files:write{path!~/tmp/**}', { path: '/tmp/../etc/x' }), 'deny')
    assert.equal(verdictFor('files:write{path!~/tmp/**}', { path: '/tmp/x' }), 'ask')
  })

  it('match whatever is in a list or an object, and in JSON that is written as text', () => {
    const pattern = 'files:write{files.path~/etc/**}'
    for (const files of [
      [{ path: '/tmp/a' }, { path: '/etc/b' }],
      [[{ path: ['/tmp/a', ['/etc/b']] }]],
      [{ path: { uri: 'file:///etc/b' } }],
      '[{"path":"/etc/b"}]',
    ]) {
      assert.equal(verdictFor(pattern, { files }), 'deny', JSON.stringify(files))
    }
    assert.equal(verdictFor(pattern, { files: [{ path: '/tmp/a' }, { other: '/etc/b' }] }), 'ask')
    assert.equal(verdictFor('files:write{files.path!~/tmp/**}', { files: [{ path: '/tmp/a' }, {}] }), 'deny')
  })

  it('match every spelling of a value with an equals sign', () => {
    assert.equal(verdictFor('files:write{path=/etc/passwd}', { path: '/etc/../etc//passwd' }), 'deny')
    assert.equal(verdictFor('files:write{url=https://evil.com/x}', { url: 'HTTPS://evil.com:443/x' }), 'deny')
    assert.equal(verdictFor('files:write{path=/etc/passwd}', { path: '/etc/passwd2' }), 'ask')
  })

  it('match a value that cannot be compared as a number', () => {
    for (const size of ['0x10', '12abc', '', true, null, { bytes: 99 }])
      assert.equal(verdictFor('files:write{size>10}', { size }), 'deny', JSON.stringify(size))
    assert.equal(verdictFor('files:write{size>10}', { size: 10 }), 'ask')
  })

  it('match numbers written as text, and any item of a list', () => {
    assert.equal(verdictFor('files:write{size>10}', { size: '11' }), 'deny')
    assert.equal(verdictFor('files:write{names=secret}', { names: ['a', 'secret'] }), 'deny')
  })
})

describe('parseRule', () => {
  it('reads nested names, JSON pointers, quoted texts and alternatives', () => {
    const { conditions } = parseRule('allow', 'a:b{x.y=1|2, /p~1q/r="a,b|c", "odd name"!=null}', source)
    assert.deepEqual(conditions, [
      { path: ['x', 'y'], comparison: '=', values: [1, 2] },
      { path: ['p/q', 'r'], comparison: '=', values: ['a,b|c'] },
      { path: ['odd name'], comparison: '!=', values: [null] },
    ])
  })

  for (const [text, message] of [
    ['files', /"files" is not a pattern of acts: write "server:tool"/],
    ['files:w{size<many}', /compares with something that is not a number/],
    ['files:w{size}', /"size" is not a condition/],
    ['files:w{==[1]}', /are no arguments: write them all as JSON/],
    ['files:w{=={a:1}}', /are no arguments/],
    ['files:w{size=}', /is not a condition|nothing to compare/],
    [{ macth: 'files:w' } as RuleText, /a rule has no "macth"; it has match/],
    [{ class: 'harmless' } as unknown as RuleText, /there is no class "harmless"; there are reads/],
    [7 as unknown as RuleText, /7 is not a rule/],
    [{ by: 'anybody' } as unknown as RuleText, /can only be "local"/],
    [{ until: '2026-12-24T18:00:00Z' }, /so it can only be in "allow"/],
  ] as const) {
    it(`refuses ${JSON.stringify(text)}, naming file and line`, () => {
      assert.throws(() => parseRule('deny', text, source), message)
      assert.throws(() => parseRule('deny', text, source), /trunkline\.json:7/)
    })
  }
})

describe('explain', () => {
  it('names the rule that decided and how to change that', () => {
    const { verdict, change } = explain(policyOf({ deny: ['files:drop'] }), call('drop'))
    assert.equal(verdict.effect, 'deny')
    assert.equal(change, 'Remove or narrow the rule at trunkline.json:7 (user)')
  })

  it('names the condition that a near rule missed', () => {
    const { change } = explain(policyOf({ allow: ['files:write{size<=10}'] }), call('write', { size: 12 }))
    assert.match(change, /Widen "files:write\{size<=10\}".*it wants size<=10, and size is 12/)
  })

  it('proposes the rule that would do, with a condition where harm is great', () => {
    assert.equal(explain(policyOf({}), call('write')).change, 'Add to "allow": "files:write"')
    assert.match(explain(policyOf({}), call('drop', {}, { class: 'destroys' })).change, /with a condition/)
  })
})
