import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { acceptServer, apiOf } from './host-api.ts'
import { type HostHome, hostHome, upstreamEntry } from './host-home.ts'

describe('pipe', () => {
  let at: HostHome
  const file = (name: string, text: string): string => {
    writeFileSync(join(at.project, name), text)
    return name
  }

  before(async () => {
    at = hostHome()
    at.configure({
      mcpServers: { one: upstreamEntry, two: upstreamEntry },
      policy: { allow: ['*:*'], deny: ['one:write{text=no}'] },
    })
  })
  after(() => at[Symbol.asyncDispose]())

  it('without a host says how to start one', async () => {
    const { exit, stderr } = await at.run('pipe', file('plan.yaml', 'steps: []'))
    assert.equal(exit, 4)
    assert.match(stderr, /No host runs\nStart it: trunkline up/)
    await at.up()
    for (const server of ['one', 'two']) await acceptServer(apiOf(at), server)
  })

  const plan = `
    # text of one server becomes the argument of another
    steps:
      - { id: hello, call: one__echo, arguments: { text: hello } }
      - { id: again, call: two__echo, arguments: { text: { $text: [{ $from: /hello }, ", again"] } } }
    output: { said: { $from: /again } }
  `

  it('a file of YAML: steps on stderr, the output on stdout, and all of it as JSON', async () => {
    const shown = await at.run('pipe', file('plan.yaml', plan))
    assert.equal(shown.stdout, '{\n  "said": "hello, again"\n}\n')
    assert.equal(shown.stderr, 'step "hello" is done\nstep "again" is done\n')
    const { stdout, stderr, exit } = await at.run('pipe', 'plan.yaml', '--json')
    assert.deepEqual([exit, stderr], [0, ''])
    const { state, output, steps } = JSON.parse(stdout)
    assert.deepEqual([state, output, steps.length], ['done', { said: 'hello, again' }, 2])
  })

  it('--dry-run shows what would be called, and calls nothing', async () => {
    const { exit, stdout } = await at.run('pipe', 'plan.yaml', '--dry-run')
    assert.equal(exit, 0)
    assert.match(stdout, /nothing was called\nhello: calls "one__echo" of server "one" \(\w+\)\nagain: calls/)
  })

  it('what does not fit is refused with 1, in words and as JSON', async () => {
    const wrong = file(
      'wrong.json',
      JSON.stringify({ steps: [{ id: 'x', call: 'one__wait', arguments: { ms: 'long' } }] }),
    )
    const { exit, stdout, stderr } = await at.run('pipe', wrong)
    assert.deepEqual([exit, stdout], [1, ''])
    assert.match(stderr, /nothing was called: step "x", arguments\.ms: expects number, and gets string/)
    const { error } = JSON.parse((await at.run('pipe', wrong, '--json')).stderr)
    assert.deepEqual([error.code, error.data[0].step], ['BadPlan', 'x'])
    assert.match(
      (await at.run('pipe', file('broken.yaml', 'steps: [\n  - {'))).stderr,
      /Cannot use "broken.yaml", line \d/,
    )
    assert.match((await at.run('pipe', 'none.yaml')).stderr, /there is no such file/)
    assert.match((await at.run('pipe')).stderr, /no file is named/)
  })

  it('a denied step ends it with 5, a failed one with 2, and --report tells how far it came', async () => {
    const steps = (last: string) => `
      steps:
        - { id: first, call: one__write, arguments: { text: yes please } }
        - ${last}
    `
    const denied = await at.run(
      'pipe',
      file('denied.yaml', steps('{ id: no, call: one__write, arguments: { text: "no" } }')),
    )
    assert.equal(denied.exit, 5)
    assert.match(denied.stderr, /The plan was stopped at step "no": The policy denies call "write" of server "one"/)
    const report = await at.run('pipe', '--report')
    assert.equal(report.exit, 0)
    assert.match(report.stdout, /was stopped: step "no" \(denied\)[\s\S]*first \(one__write\): 1 done/)
    const failed = await at.run('pipe', file('failed.yaml', steps('{ id: gone, call: two__crash }')))
    assert.equal(failed.exit, 2)
    assert.match(failed.stdout, /gone \(two__crash\): 0 done, 1 unknown/)
    const none = await at.run('pipe', '--report', 'none')
    assert.equal(none.exit, 1)
    assert.match(none.stderr, /There is no such run of yours/)
  })
})
