import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { programSpec, type RunningHost, runningHost } from '../../../host/test/gateway/running-host.ts'
import { runCli } from '../run-cli.ts'

describe('what a tool takes and gives can be found out', () => {
  let running: RunningHost

  before(async () => {
    running = await runningHost({
      servers: [programSpec('many', 'many-tools'), programSpec('tracker', 'tracker')],
      open: true,
    })
    running.host.setProfiles({ lean: { search: true } })
  })
  after(() => running[Symbol.asyncDispose]())

  const url = (path: string): string => `${running.host.url}${path}`
  const cli = async (...words: readonly string[]): Promise<string> => {
    const { stdout, stderr, exit } = await runCli(words)
    assert.equal(exit, 0, stderr)
    return stdout
  }

  it('of a thousand tools the right one is found by words', async () => {
    const found = await cli('call', url('/profile/lean'), 'search_tools', 'query=list issues of a folder', 'limit=3')
    const { tools } = JSON.parse(found) as { readonly tools: readonly { name: string; inputSchema: object }[] }
    assert.equal(tools[0]?.name, 'tracker__list_issues')
    assert.match(JSON.stringify(tools[0]?.inputSchema), /"count"/)
  })

  it('the list names arguments, and one tool says all of itself', async () => {
    assert.match(await cli('tools', url('/server/tracker')), /close_issue +id \[why\]/)
    const one = await cli('tools', url('/server/tracker'), 'close_issue')
    assert.match(one, /id +integer +required/)
    const { outputSchema } = JSON.parse(await cli('tools', url('/server/tracker'), 'close_issue', '--json'))
    assert.deepEqual(outputSchema.required, ['closed'])
  })

  it('a mistake names what there is, before anything is sent', async () => {
    const near = await runCli(['call', url('/server/tracker'), 'close_isue', 'id=1'])
    assert.match(near.stderr, /did you mean "close_issue"/)
    const wrong = await runCli(['call', url('/server/tracker'), 'close_issue', 'idd=1'])
    assert.equal(wrong.exit, 1)
    assert.match(wrong.stderr, /id/)
  })

  it('shells complete it, and programs get types of it', async () => {
    const line = `trunkline call ${url('/server/tracker')} close_`
    const { stdout } = await runCli(['completion', '--line', line])
    assert.match(stdout, /^close_issue/m)
    const module = await cli('types', url('/server/tracker'))
    assert.match(module, /readonly close_issue: \{\n +readonly input: \{ readonly id: number; readonly why\?: string/)
    assert.match(module, /readonly output: \{ readonly closed: number/)
  })

  it('every command has a help, and the help of all names every command', async () => {
    const { stdout } = await runCli(['--help'])
    for (const command of ['tools', 'call', 'types', 'completion', 'pipe'])
      assert.match(stdout, new RegExp(`^ +${command} `, 'm'))
    assert.match((await runCli(['call', '--help'])).stdout, /NAME=VALUE[\s\S]*--json/)
  })
})
