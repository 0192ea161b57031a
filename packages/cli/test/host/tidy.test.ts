import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@trunkline/mcp'
import { lacking } from '../../../../tools/lib/needs.ts'
import { hasProgram } from '../has-program.ts'
import { inTerminal } from '../tmux.ts'
import { acceptServer, apiOf, clientOf } from './host-api.ts'
import { type HostHome, hostHome, upstreamEntry } from './host-home.ts'

describe('a host that knows a browser', () => {
  // one host for all, which knows a browser; in this order: the first one counts calls, the last one ends the host
  let at: HostHome
  let client: Client
  let own: string
  before(async () => {
    at = hostHome()
    at.configure({ mcpServers: { one: upstreamEntry }, policy: { allow: ['one:*'] } })
    own = browserAt(at, 'own')
    at.env.BROWSER = own
    await at.up()
    await acceptServer(apiOf(at), 'one')
    client = await clientOf(apiOf(at), 'editor')
  })
  after(async () => {
    await client[Symbol.asyncDispose]()
    await at[Symbol.asyncDispose]()
  })

  /** A browser that writes down what it is to open. */
  function browserAt({ home }: HostHome, name: string): string {
    const browser = join(home, name)
    writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > "${browser}-seen"\n`)
    chmodSync(browser, 0o755)
    return browser
  }

  describe('ls and tidy', () => {
    it('ls counts calls and tokens; tidy shows what was not used, hides it when a person says so, and --undo brings it back', async () => {
      await client.tools.call('one__echo', { text: 'a' })
      await client.tools.call('one__echo', { text: 'b' })
      assert.match((await at.run('ls')).stdout, /^SERVER +STATE +TOOLS +TOKENS +CALLS.*\none +ready +6 +\d\d+ +2/)
      const { entries } = JSON.parse((await at.run('ls', '--json', 'one')).stdout)
      assert.equal(entries.find(({ shown }: { shown: string }) => shown === 'echo').callsIn30Days, 2)

      const plan = JSON.parse((await at.run('tidy', '--json')).stdout)
      assert.deepEqual(plan.tools.map(({ tool }: { tool: string }) => tool).sort(), [
        'crash',
        'grow',
        'pid',
        'wait',
        'write',
      ])
      assert.ok(plan.tokens > 0)
      const piped = await at.run('tidy')
      assert.equal(piped.exit, 5)
      assert.match(
        piped.stderr,
        /one +grow +[\s\S]*They save about \d+ tokens in each conversation\n"one" was accepted .+ ago: it had little time/,
      )
      assert.match((await at.run('tidy', 'two')).stderr, /There is no server "two"/)
      assert.equal((await client.tools.list().all()).length, 6)

      await using terminal = await inTerminal(['tidy', 'one'], { HOME: at.home })
      await terminal.until(/Hide 5 tools\? \[y\/n\]/)
      await terminal.answer('y')
      await terminal.until(/5 tools hidden; offer them again: trunkline tidy --undo[\s\S]*exit:0/)
      assert.deepEqual(
        (await client.tools.list().all()).map(({ name }) => name),
        ['one__echo'],
      )
      assert.match((await at.run('tidy')).stdout, /Every tool that is offered was used/)
      await using back = await inTerminal(['tidy', '--undo'], { HOME: at.home })
      await back.until(/Offer 5 tools again\?/)
      await back.answer('y')
      await back.until(/5 tools offered again[\s\S]*exit:0/)
      assert.equal((await client.tools.list().all()).length, 6)
    })
  })

  /** Trades a code as a page does, over a connection that ends: a connected program may not open the console. */
  function trade(url: string, code: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', origin: new URL(url).origin }
      const asked = request(new URL('/api/session', url), { method: 'POST', headers, agent: false }, (answer) => {
        answer.resume().on('close', () => resolve(answer.statusCode))
      })
      asked.on('error', reject).end(JSON.stringify({ code }))
    })
  }

  describe('open', () => {
    it('prints an address whose code is good once in a terminal, and none elsewhere', {
      skip: lacking('tmux', hasProgram('tmux')),
    }, async () => {
      for (const option of ['--json', '--print']) {
        const { stdout, stderr } = await at.run('open', option)
        assert.doesNotMatch(stdout + stderr, /code=/)
      }
      const { PATH = '' } = process.env
      await using terminal = await inTerminal(['open', '--print'], { HOME: at.home, PATH })
      const [url = ''] = /http:\S+#code=\S+/.exec(await terminal.until(/#code=\S+/)) ?? []
      const code = new URL(url).hash.replace('#code=', '')
      assert.equal(await trade(url, code), 200)
      assert.equal(await trade(url, code), 403)
    })

    it('opens the browser that the host knows, and not that of the environment it is typed in', async () => {
      const foreign = browserAt(at, 'foreign')
      at.env.BROWSER = foreign
      assert.match((await at.run('open')).stdout, /The console is open in your browser/)
      assert.match(readFileSync(`${own}-seen`, 'utf8'), /#code=/)
      assert.equal(existsSync(`${foreign}-seen`), false)
    })
  })

  describe('audit query and export', () => {
    it('finds lines by tool, kind and time, shows one act whole, and exports what verifies by itself', async () => {
      await client.tools.call('one__echo', { text: 'hello' })
      await client.tools.call('one__write', { text: 'there' })
      const query = ['audit', 'query', '--json', '--tool', 'echo', '--kind', 'ended', '--since', '1h']
      const found = (await at.run(...query)).stdout
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text))
      // two of them are of an earlier test
      assert.deepEqual(
        found.map(({ line }) => line.target),
        ['echo', 'echo', 'echo'],
      )
      const { act } = found.reduce((last, one) => (one.number > last.number ? one : last)).line
      const shown = await at.run('audit', '--act', act)
      assert.match(shown.stdout, /arguments:\n\{\n {2}"text": "hello"[\s\S]*result:/)
      assert.equal(JSON.parse((await at.run('audit', '--json', '--act', act)).stdout).payloads.arguments.text, 'hello')
      const searched = await at.run('audit', '--json', '--search', 'hello echo', '--kind', 'ended', '--since', '1h')
      assert.equal(JSON.parse(searched.stdout).line.act, act)
      assert.equal((await at.run('audit', '--until', '1d')).stdout, '')
      assert.match((await at.run('audit', '--since', 'soon')).stderr, /write 30m, 12h, 7d, or a date/)
      assert.equal((await at.run('audit', '--most', 'many')).exit, 1)

      const file = join(at.project, 'ledger.jsonl')
      assert.match((await at.run('audit', 'export', '-o', file)).stdout, /\d+ lines in/)
      assert.equal(statSync(file).mode & 0o777, 0o600)
      assert.equal((await at.run('audit', 'export', '-o', file)).exit, 1)
      assert.equal((await at.run('audit', 'export')).stdout, readFileSync(file, 'utf8'))
      await at.run('down')
      assert.match((await at.run('audit', 'verify', file)).stdout, /every one follows/)
      const { lines } = JSON.parse((await at.run('audit', 'verify', '--json', file)).stdout)
      // the last one is the signature
      assert.equal(lines, readFileSync(file, 'utf8').trimEnd().split('\n').length - 1)
      writeFileSync(file, readFileSync(file, 'utf8').replace('echo', 'wipe'))
      const told = await at.run('audit', 'verify', '--json', file)
      assert.match(JSON.parse(told.stdout).broken, /line \d+ was altered/)
      assert.deepEqual([told.exit, JSON.parse(told.stderr).error.code], [3, 'Broken'])
      const broken = await at.run('audit', 'verify', file)
      assert.equal(broken.exit, 3)
      assert.match(broken.stdout, /line \d+ was altered/)
      writeFileSync(file, 'no json')
      assert.equal((await at.run('audit', 'verify', file)).exit, 1)
    })
  })
})
