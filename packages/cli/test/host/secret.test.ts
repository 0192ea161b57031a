import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { hasProgram } from '../has-program.ts'
import { type CliRun, runCli } from '../run-cli.ts'
import { inTerminal } from '../tmux.ts'
import { type HostHome, hostHome, upstreamEntry } from './host-home.ts'

const limit = { timeout: 120_000, skip: lacking('tmux', hasProgram('tmux')) }
const fileOf = ({ home }: HostHome) => join(home, '.local/state/trunkline/secrets.json')
const keptIn = (at: HostHome) => JSON.parse(readFileSync(fileOf(at), 'utf8'))

/** Runs the command with something on its stdin. */
function given(at: HostHome, input: string, ...args: readonly string[]): Promise<CliRun> {
  return runCli(args, { input, env: at.env, cwd: at.project })
}

describe('secret', () => {
  it('set keeps what stdin holds, readable for its owner alone; ls tells names and uses, rm removes', async () => {
    await using at = hostHome()
    at.configure({
      mcpServers: { shop: { ...upstreamEntry, env: { TOKEN: 'secret:shop.token', ID: `\${input:account}` } } },
      models: { best: { provider: 'openai', name: 'x', key: 'secret:openai' } },
    })
    const set = await runCli(['secret', 'set', 'shop.token'], {
      input: 'first line\nlast line\n',
      env: at.env,
      cwd: at.project,
      inOwnProcess: true,
    })
    assert.deepEqual(set, {
      exit: 0,
      stdout: 'Kept "shop.token": write secret:shop.token where it is needed\n',
      stderr: '',
    })
    assert.deepEqual(keptIn(at), { 'shop.token': 'first line\nlast line' })
    assert.equal(statSync(fileOf(at)).mode & 0o777, 0o600)
    const again = await given(at, 'other', 'secret', 'set', 'shop.token', '--json')
    assert.deepEqual(JSON.parse(again.stdout), { name: 'shop.token', isReplaced: true })
    const listed = await at.run('secret', 'ls')
    assert.match(listed.stdout, /^SECRET +STATE +USED BY\ninput\.account +missing +shop\nopenai +missing +model best\n/)
    assert.match(listed.stdout, /\nshop\.token +kept +shop\n$/)
    assert.doesNotMatch(listed.stdout, /other/)
    const { items } = JSON.parse((await at.run('secret', 'ls', '--json')).stdout)
    assert.deepEqual(items[2], { name: 'shop.token', isKept: true, uses: ['shop'] })
    const near = await at.run('secret', 'rm', 'shop.tokn')
    assert.equal(near.exit, 1)
    assert.match(near.stderr, /no such secret\nDid you mean "shop\.token"\?/)
    assert.equal((await at.run('secret', 'rm', 'shop.token')).stdout, 'Removed "shop.token"\n')
    assert.deepEqual(keptIn(at), {})
  })

  it('takes none from the command line, none that is empty or too long, and none of login', async () => {
    await using at = hostHome()
    const written = await at.run('secret', 'set', 'shop', 'hunter2')
    assert.equal(written.exit, 1)
    assert.match(written.stderr, /from the command line[\s\S]*Write: trunkline secret set NAME\n$/)
    assert.match((await at.run('secret', 'set', 'shop')).stderr, /Cannot keep the secret "shop": it is empty/)
    assert.match((await given(at, 'x'.repeat(70_000), 'secret', 'set', 'shop')).stderr, /it is longer than 65536/)
    assert.match((await given(at, 'x', 'secret', 'set', 'a/b')).stderr, /its name may hold letters/)
    assert.match((await given(at, 'x', 'secret', 'set', 'oauth.shop.1')).stderr, /trunkline logout SERVER/)
    const unknown = await at.run('secret', 'put', '--json')
    assert.equal(unknown.exit, 1)
    assert.match(JSON.parse(unknown.stderr).error.hint, /trunkline secret ls\|set\|rm/)
    assert.equal((await at.run('secret', 'ls')).stdout, 'No secret is kept\n')
  })

  it('is typed without being shown, and the server that waited for it goes on', limit, async () => {
    await using at = hostHome()
    at.configure({ mcpServers: { shop: { ...upstreamEntry, env: { TOKEN: 'secret:shop.token' } } } })
    await at.up()
    const waiting = await at.run('status', 'shop')
    assert.match(
      waiting.stdout,
      /needs you[\s\S]*there is no secret "shop\.token"[\s\S]*trunkline secret set shop\.token/,
    )
    await using terminal = await inTerminal(['secret', 'set', 'shop.token'], { HOME: at.home })
    await terminal.until(/shop\.token \(nothing is shown\):/)
    await terminal.type('s3cret-value', 'Enter')
    const screen = await terminal.until(/exit:0/)
    assert.match(screen, /Kept "shop\.token"/)
    assert.doesNotMatch(screen, /s3cret/)
    assert.deepEqual(keptIn(at), { 'shop.token': 's3cret-value' })
    while (/no secret/.test((await at.run('status', 'shop')).stdout)) {}
    await using stopped = await inTerminal(['secret', 'set', 'other'], { HOME: at.home })
    await stopped.until(/nothing is shown/)
    await stopped.type('C-c')
    await stopped.until(/exit:130/)
    assert.deepEqual(Object.keys(keptIn(at)), ['shop.token'])
  })
})
