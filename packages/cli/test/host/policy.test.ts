import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { ApiClient } from '@trunkline/host/api'
import type { Client } from '@trunkline/mcp'
import { until } from '../../../../tools/lib/until.ts'
import { inTerminal } from '../tmux.ts'
import { acceptServer, apiOf, callAndAnswer, clientOf, clientsIn } from './host-api.ts'
import { type HostHome, hostHome, upstreamEntry } from './host-home.ts'

const userFile = ({ home }: HostHome) => join(home, '.config/trunkline/trunkline.json')

describe('policy check', () => {
  it('names every mistake with its line, of the layers and of a file, and ends with 2', async () => {
    await using at = hostHome()
    at.configure({ mcpServers: { one: upstreamEntry }, policy: { deny: ['one:write', 'tow:write', 'no rule'] } })
    const { exit, stdout, stderr } = await at.run('policy', 'check')
    assert.equal(exit, 2)
    assert.match(stdout, /trunkline\.json:\d+: policy\.deny names "tow", which is not configured; write one of one/)
    assert.match(stdout, /trunkline\.json:\d+: policy\.deny holds no rule; "no rule" is not a pattern/)
    assert.match(stderr, /2 mistakes/)
    const file = join(at.project, 'rules.json')
    writeFileSync(file, '{\n  "policy": {\n    "allow": [\n      "a:b{"\n    ]\n  }\n}\n')
    const { problems } = JSON.parse((await at.run('policy', 'check', '--json', file)).stdout)
    assert.deepEqual([problems[0].file, problems[0].line], [file, 4])
    writeFileSync(file, '{ "policy": { "allow": ["a:b"] } }')
    assert.match((await at.run('policy', 'check', file)).stdout, /^1 rule, and nothing is wrong/)
    assert.equal((await at.run('policy', 'check', 'none.json')).exit, 1)
  })
})

describe('policy of a host', () => {
  // in this order: the first one counts calls, and the last ones leave rules and a tool that destroys
  let at: HostHome
  let api: ApiClient
  let editor: Client
  before(async () => {
    at = hostHome()
    at.configure({ mcpServers: { one: { ...upstreamEntry, cwd: at.project } } })
    await at.up()
    api = apiOf(at)
    await acceptServer(api, 'one')
    editor = await clientOf(api, 'editor')
  })
  after(async () => {
    await editor[Symbol.asyncDispose]()
    await at[Symbol.asyncDispose]()
  })

  /** Lets the host allow by these rules, and by no others. */
  async function counts(...rules: readonly string[]): Promise<void> {
    const policy = rules.length > 0 ? { policy: { allow: rules } } : {}
    at.configure({ mcpServers: { one: { ...upstreamEntry, cwd: at.project } }, ...policy })
    const read = async () => (await api.call('policy')).rules.map(({ text }) => text)
    await until(async () => isDeepStrictEqual(await read(), rules), 'the rules to be read')
  }

  it('policy dry-run tells which recorded calls another policy would have judged differently, and changes nothing', async () => {
    await counts('one:*')
    for (const text of ['a', 'b', 'secret']) await editor.tools.call('one__echo', { text })
    const { stdout } = await at.run('policy', 'dry-run', '--deny', 'one:echo{text=secret}')
    assert.match(stdout, /one:echo +editor +1 +allow +deny +.*the rule deny "one:echo\{text=secret\}"/)
    assert.match(stdout, /1 of 3 recorded calls would have been judged differently/)
    const file = join(at.project, 'other.json')
    writeFileSync(file, '{ "policy": { "ask": ["one:echo"] } }')
    const told = JSON.parse((await at.run('policy', 'dry-run', '--json', file)).stdout)
    assert.deepEqual([told.changes[0].count, told.changes[0].to], [3, 'ask'])
    assert.match((await at.run('policy')).stdout, /^EFFECT[^\n]*\nallow +one:\*[^\n]*\n$/)
    // without its arguments a call cannot be judged by them
    await at.run('forget', 'one')
    const forgotten = JSON.parse((await at.run('policy', 'dry-run', '--json', '--deny', 'one:echo{text=b}')).stdout)
    assert.deepEqual([forgotten.untold, forgotten.changes.length], [3, 0])
    const unmatched = await at.run('policy', 'dry-run', '--deny', 'one:[[')
    assert.match(unmatched.stdout, /The rule "one:\[\[" matches nothing: No tool of "one" is called "\[\["; there are /)
    assert.equal((await at.run('policy', 'dry-run')).exit, 1)
    assert.equal((await at.run('policy', 'dry-run', '--deny', 'nothing')).exit, 1)
  })

  it('policy test judges the acts of a file by the policy in force, and ends with 2 when one is judged differently', async () => {
    await counts(`one:write{path~${at.project}/open/**}`)
    mkdirSync(join(at.project, 'open'))
    symlinkSync('/etc', join(at.project, 'open/out'))
    const file = join(at.project, 'tests.json')
    const tests = [
      // the folder of the server, not the one of the caller
      { act: 'one:write', arguments: { path: 'open/a' }, expect: 'allow' },
      { name: 'a link leads out', act: 'one:write', arguments: { path: 'open/out/a' }, expect: 'ask' },
      { act: 'one:echo', arguments: { text: 'a' }, expect: 'allow' },
      { act: 'one:other', class: 'reads', client: 'editor', expect: 'allow' },
      { act: 'one:@sample', expect: 'ask' },
    ]
    writeFileSync(file, `// what must stay so\n${JSON.stringify({ tests })}`)
    const passed = await at.run('policy', 'test', file)
    assert.equal(passed.exit, 0, passed.stdout + passed.stderr)
    assert.match(passed.stdout, /passes a link leads out ask[\s\S]*5 of 5 acts are judged as expected/)
    writeFileSync(file, JSON.stringify({ tests: [...tests, { act: 'one:write', expect: 'deny' }] }))
    const failed = await at.run('policy', 'test', file)
    assert.equal(failed.exit, 2)
    assert.match(failed.stdout, /fails one:write expected deny, is ask: by default/)
    const told = JSON.parse((await at.run('policy', 'test', '--json', file)).stdout)
    assert.deepEqual([told.passed, told.failed, told.tests[5].effect], [5, 1, 'ask'])
    assert.equal(told.tests[0].rule.text, `one:write{path~${at.project}/open/**}`)
    for (const [wrong, why] of [
      ['{ "tests": [{ "act": "write", "expect": "ask" }] }', /test 1 of .*write "act" as "server:tool"/],
      ['{ "tests": [{ "act": "one:write", "expect": "yes" }] }', /"expect" of test 1 .*allow or ask or deny/],
      ['{ "tests": [{ "act": "one:write", "expects": "ask" }] }', /there is no "expects"/],
      ['{ "tests": [{ "act": "one:@dance", "expect": "ask" }] }', /no such kind of acts/],
      ['{ "tests": [] }', /it has no list "tests"/],
      ['{ "tests": [', /Cannot read the tests/],
    ] as const) {
      writeFileSync(file, wrong)
      const { exit, stderr } = await at.run('policy', 'test', file)
      assert.equal(exit, 1, wrong)
      assert.match(stderr, why)
    }
    assert.equal((await at.run('policy', 'test', 'none.json')).exit, 1)
  })

  it('policy suggest names what was always allowed, writes it when a person wants it, and takes it back', async () => {
    await counts()
    const written = readFileSync(userFile(at), 'utf8')
    assert.match(
      (await at.run('policy', 'suggest')).stdout,
      /There is nothing to suggest[\s\S]*From your answers of the last 14 days/,
    )
    for (const text of ['a', 'b', 'c']) await callAndAnswer(api, editor, { tool: 'one__write', args: { text } })
    const { suggestions } = JSON.parse((await at.run('policy', 'suggest', '--json')).stdout)
    assert.equal(suggestions[0].rule, 'one:write')
    assert.match((await at.run('policy', 'suggest')).stdout, /one:write +3 +editor/)
    // a script can look and not decide
    assert.equal((await at.run('policy', 'suggest', '--write')).exit, 5)
    await using terminal = await inTerminal(['policy', 'suggest', '--write'], { HOME: at.home })
    await terminal.until(/Allow "one:write" always\? You allowed it 3 times/)
    await terminal.answer('y')
    await terminal.until(/Written to .*trunkline\.json: allow "one:write"[\s\S]*exit:0/)
    assert.match((await at.run('policy')).stdout, /allow +one:write/)
    assert.match((await at.run('policy', 'undo')).stdout, /Taken out of .*trunkline\.json: allow "one:write"/)
    assert.equal(readFileSync(userFile(at), 'utf8'), written)
    assert.match((await at.run('policy')).stdout, /No rule is written/)
    assert.match((await at.run('policy', 'undo')).stderr, /No rule was written for you/)
  })

  it('policy undo takes back the last "always"', async () => {
    await callAndAnswer(api, editor, { tool: 'one__write', args: { text: 'a' } }, 'always')
    const { rules } = JSON.parse((await at.run('policy', '--json')).stdout)
    const rule = { match: 'one:write', principal: 'editor' }
    assert.deepEqual(JSON.parse(rules[0].text), rule)
    const undone = JSON.parse((await at.run('policy', 'undo', '--json')).stdout)
    assert.deepEqual([undone.effect, undone.rule], ['allow', rule])
    assert.equal(existsSync(undone.file), true)
    assert.deepEqual(JSON.parse((await at.run('policy', '--json')).stdout).rules, [])
    // rules that deny or ask are taken back by a person alone
    await api.call('addRule', { effect: 'deny', rule: 'one:write' })
    const { exit, stderr } = await at.run('policy', 'undo')
    assert.equal(exit, 5)
    assert.match(stderr, /Only a person can decide this/)
    assert.equal((await api.call('policy')).rules.length, 1)
    await using terminal = await inTerminal(['policy', 'undo'], { HOME: at.home })
    await terminal.until(/Take deny "one:write" out of .*trunkline\.json\? \[y\/n\]/)
    await terminal.answer('y')
    await terminal.until(/Taken out of .*: deny "one:write"\nexit:0/)
  })

  it('one that covers more says what before it is given, is listed by "grants", and is revoked there', async () => {
    for (const tool of ['write', 'echo']) await api.call('changeEntry', { server: 'one', tool, class: 'writes' })
    await using second = await clientOf(api, 'second')
    const calling = editor.tools.call('one__write', { text: 'a' })
    await using terminal = await inTerminal(['inbox', '--watch'], { HOME: at.home })
    await terminal.until(
      /y once, s session, a always, n refuse, t all \d+ writing tools of one, c all my clients, e edit/,
    )
    await terminal.answer('t')
    await terminal.until(/Tools: .*echo.*; what changes or comes later asks[\s\S]*Clients: editor alone/)
    await terminal.answer('c')
    await terminal.until(/Clients: editor, second; those that come later ask/)
    await terminal.answer('s')
    await calling
    await second.tools.call('one__echo', { text: 'b' })
    const [grant] = JSON.parse((await at.run('grants', '--json')).stdout).items
    assert.deepEqual([grant.clients, grant.choice], [['editor', 'second'], 'session'])
    assert.match((await at.run('grants')).stdout, /of "one", for editor, second .* (\d+ h|\d+ min) more/)
    assert.match((await at.run('grants', 'revoke', 'none')).stderr, /There is no grant "none"/)
    assert.match((await at.run('grants', 'revoke', grant.id)).stdout, /^Revoked: .*for editor, second/)
    assert.match((await at.run('grants')).stdout, /Nothing is allowed for a while/)
    assert.match((await at.run('audit', '--json')).stdout, /"grant revoked"/)
  })

  it('p allows it in this project: "grants" lists it with the project, and another project asks', async () => {
    const blog = join(at.home, 'blog')
    mkdirSync(blog)
    const [inShop = assert.fail(), inBlog = assert.fail()] = await clientsIn(api, 'writer', [at.project, blog])
    await using _shop = inShop
    await using _blog = inBlog
    const calling = inShop.tools.call('one__write', { text: 'a' })
    await using terminal = await inTerminal(['inbox', '--watch'], { HOME: at.home })
    await terminal.until(/"text": "a"[\s\S]*y once, s session, p in this project, a always/)
    await terminal.answer('p')
    await terminal.until(/Allowed in this project until you revoke it with "trunkline grants"/)
    await calling
    await inShop.tools.call('one__write', { text: 'b' })
    const { items } = JSON.parse((await at.run('grants', '--json')).stdout)
    assert.deepEqual(
      items.map(({ choice, project, tools, clients }: (typeof items)[number]) => [choice, project, tools, clients]),
      [['project', at.project, ['write'], ['writer']]],
    )
    assert.match(
      (await at.run('grants')).stdout,
      /write of "one", for writer, in\s+.*shop[\s\S]*until you revoke it, or 30 days unused/,
    )
    const elsewhere = inBlog.tools.call('one__write', { text: 'c' })
    await terminal.until(/"text": "c"[\s\S]*p in this project/)
    await terminal.answer('n')
    assert.match(JSON.stringify((await elsewhere).content), /A person refused this call/)
  })

  it('always shows the rule with its file and what it matches first; of what destroys it is for these arguments alone', async () => {
    await api.call('changeEntry', { server: 'one', tool: 'write', class: 'destroys' })
    const calling = editor.tools.call('one__write', { text: 'please' })
    await using terminal = await inTerminal(['inbox', '--watch'], { HOME: at.home })
    await terminal.until(/May this call run\? one:write[\s\S]*a always/)
    await terminal.answer('a')
    const rule =
      /allow "one:write\{==\{"text":"please"\}\}" for editor alone in .*trunkline\.json \(user\)\nIt matches 0 calls[\s\S]*Write this rule\?/
    await terminal.until(rule)
    assert.deepEqual((await api.call('policy')).rules, [])
    await terminal.answer('y')
    await calling
    const { rules } = await api.call('policy')
    assert.deepEqual(
      rules.map(({ text }) => JSON.parse(text)),
      [{ match: 'one:write{=={"text":"please"}}', principal: 'editor' }],
    )
    const told = JSON.parse((await at.run('policy', 'explain', '--json', 'one:write', 'text=other')).stdout)
    assert.equal(told.effect, 'ask')
  })

  it('doctor lists rules of an earlier meaning, each with the command that mends it, and rules that match nothing', async () => {
    const always = 'one:write{text="a"}'
    const rules = [always, 'one:echo{text~https://good.*/**}', 'one:echo{text~/proc/self/**}', 'one:echo', 'one:[[']
    await counts(...rules)
    await api.call('changeEntry', { server: 'one', tool: 'write', class: 'destroys' })
    const told = JSON.parse((await at.run('doctor', '--json')).stdout)
    const exact = 'one:write{=={"text":"a"}}'
    assert.deepEqual(
      told.rules.map(({ command }: { command: string }) => command),
      [
        `trunkline policy replace '${always}' '${exact}'`,
        `trunkline policy replace 'one:echo{text~https://good.*/**}' 'one:echo{text~https://good.**/**}'`,
        `trunkline policy remove 'one:echo{text~/proc/self/**}'`,
      ],
    )
    const { stdout } = await at.run('doctor')
    assert.match(stdout, /allow "one:write\{text="a"\}" outdated rule: it also allows/)
    assert.match(stdout, /allow "one:\[\[" matches nothing: No tool of "one" is called .* \(.*trunkline\.json:\d+\)/)
    // a script can list and not decide
    assert.equal((await at.run('policy', 'replace', always, exact)).exit, 5)
    await using terminal = await inTerminal(['policy', 'replace', always, exact], { HOME: at.home })
    await terminal.until(/Write allow .* instead of .*\? \[y\/n\]/)
    await terminal.answer('y')
    await terminal.until(/Changed in .*exit:0/s)
    await using other = await inTerminal(['policy', 'remove', 'one:echo{text~/proc/self/**}'], { HOME: at.home })
    await other.until(/Remove allow .*\? \[y\/n\]/)
    await other.answer('y')
    await other.until(/Removed from .*exit:0/s)
    const { policy } = JSON.parse(readFileSync(userFile(at), 'utf8'))
    assert.deepEqual(policy.allow, [exact, 'one:echo{text~https://good.*/**}', 'one:echo', 'one:[['])
    const { stdout: recorded } = await at.run('audit', '--json')
    assert.match(recorded, /"rule replaced"/)
    assert.match(recorded, /"rule removed"/)
    assert.equal((await at.run('policy', 'replace', 'one:none', 'one:echo')).exit, 1)
    assert.equal((await at.run('policy', 'replace', 'one:echo')).exit, 1)
  })
})
