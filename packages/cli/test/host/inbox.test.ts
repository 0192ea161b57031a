import assert from 'node:assert/strict'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { type Client, connect } from '@trunkline/mcp'
import { until } from '../../../../tools/lib/until.ts'
import { inTerminal } from '../tmux.ts'
import { apiOf } from './host-api.ts'
import { type HostHome, hostHome, upstreamEntry } from './host-home.ts'

const open = (at: HostHome, ...args: readonly string[]) => inTerminal(args, { HOME: at.home, TRUNKLINE_HOST_PORT: '0' })

const textOf = ({ content }: { readonly content: readonly object[] }) => JSON.stringify(content)

describe('inbox, in a terminal', () => {
  let at: HostHome
  let mcp: Client
  /** All that the host printed. */
  let printed = ''
  before(async () => {
    at = hostHome()
    at.configure({ mcpServers: { one: upstreamEntry } })
    const { ready, child } = await at.up()
    child.stdout?.on('data', (data) => (printed += data))
    await using terminal = await open(at, 'accept', 'one')
    await terminal.until(/upstream\.(?:ts|mjs)[\s\S]*Accept it\? \[y\/n\]/)
    await terminal.type('Enter')
    await terminal.answer('y')
    await terminal.until(/Server "one" is accepted[\s\S]*exit:0/)
    const token = readFileSync(ready.tokenFile ?? '', 'utf8').trim()
    mcp = await connect(new URL(ready.mcp ?? ''), { http: { headers: { authorization: `Bearer ${token}` } } })
  })
  after(async () => {
    await mcp[Symbol.asyncDispose]()
    await at[Symbol.asyncDispose]()
  })

  it('a call of the command is asked about where it is made; piped, it is said that it waits', async () => {
    for (const [key, shown] of [
      ['n', /"write" was not run: refused\n[\s\S]*exit:5/],
      ['y', /\nmine\nexit:0/],
    ] as const) {
      await using terminal = await open(at, 'call', 'one', 'write', 'text=mine')
      await terminal.until(/May this call run\? one:write[\s\S]*for command[\s\S]*"text": "mine"[\s\S]*y once/)
      await terminal.answer('Enter', key)
      await terminal.until(shown)
    }
    {
      await using repl = await open(at, 'repl', 'one')
      await repl.until(/> *$/m)
      await repl.type('write text=repeated', 'Enter')
      await repl.until(/May this call run\? one:write[\s\S]*y once/)
      await repl.answer('y')
      await repl.until(/^repeated$/m)
    }
    const piped = at.run('call', 'one', 'write', 'text=piped')
    const api = apiOf(at)
    const waiting = async () => (await api.call('inbox')).items[0]?.id
    await until(async () => (await waiting()) !== undefined, 'the question')
    const id = (await waiting()) ?? assert.fail('the question is gone')
    await api.call('answer', { id, choice: 'once', door: 'terminal' })
    const { exit, stdout, stderr } = await piped
    assert.deepEqual([exit, stdout], [0, 'piped\n'])
    assert.match(stderr, /"one:write" waits for an approval/)
  })

  it('n refuses, and the caller is told; what is answered elsewhere is taken from the screen, with who did', async () => {
    const first = mcp.tools.call('one__write', { text: 'first' })
    for (const args of [['inbox', '--watch'], ['inbox']]) {
      const answered = args.length > 1 ? first : mcp.tools.call('one__write', { text: 'second' })
      await using elsewhere = await open(at, ...args)
      await elsewhere.until(/y once/)
      const api = apiOf(at)
      const [question] = (await api.call('inbox')).items
      await api.call('answer', { id: question?.id ?? '', choice: 'once', door: 'console' })
      await elsewhere.until(args.length > 1 ? /Settled meanwhile: console/ : /Settled meanwhile: console[\s\S]*exit:0/)
      await answered
    }
    const calling = mcp.tools.call('one__write', { text: 'please' })
    await using terminal = await open(at, 'inbox', '--watch')
    await terminal.until(/y once/)
    await terminal.answer('n')
    assert.match(textOf(await calling), /A person refused this call/)
  })

  it('e edits the arguments in the editor, and what was edited runs; up --json tells of question and answer', async () => {
    const editor = join(at.project, 'editor.sh')
    writeFileSync(editor, '#!/bin/sh\nsed -i s/draft/edited/ "$1"\n')
    chmodSync(editor, 0o755)
    const calling = mcp.tools.call('one__write', { text: 'draft' })
    await using terminal = await inTerminal(['inbox', '--watch'], { HOME: at.home, EDITOR: editor })
    await terminal.until(/y once/)
    await terminal.answer('e')
    await terminal.until(/Edited: \{"text":"edited"\}[\s\S]*y once/)
    await terminal.answer('y')
    assert.match(textOf(await calling), /A person changed the arguments[\s\S]*edited/)
    const told = () =>
      printed
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    const asked = () => told().find(({ event, question }) => event === 'question' && isOfDraft(question))
    const isOfDraft = ({ detail }: { detail: { arguments?: object } }) =>
      isDeepStrictEqual(detail.arguments, { text: 'draft' })
    await until(() => asked() !== undefined, 'the question with what was to be edited')
    const { question } = asked()
    const isSettled = () => told().some(({ event, id }) => event === 'withdrawn' && id === question.id)
    await until(isSettled, 'the question to be withdrawn')
    await terminal.type('C-c')
    assert.doesNotMatch(await terminal.until(/\nStopped\nexit:130/), /trunkline: /)
  })

  // the last one of this host: afterwards its client is asked no more
  it('shows a call with its arguments; Enter decides nothing, y lets it run once, s for the session', async () => {
    const calling = mcp.tools.call('one__write', { text: 'please' })
    await using terminal = await open(at, 'inbox', '--watch')
    await terminal.until(/May this call run\? one:write[\s\S]*"text": "please"[\s\S]*y once/)
    // Enter decides nothing, neither before nor after one can have read the question
    await terminal.type('Enter')
    await new Promise((resolve) => setTimeout(resolve, 500))
    await terminal.type('Enter')
    assert.equal(JSON.parse((await at.run('inbox', '--json')).stdout).questions.length, 1)
    await terminal.answer('y')
    assert.match(textOf(await calling), /please/)
    await terminal.until(/Tab later: y\nAllowed, this once/)
    assert.equal(JSON.parse((await at.run('inbox', '--json')).stdout).questions.length, 0)
    const again = mcp.tools.call('one__write', { text: 'again' })
    await terminal.until(/"text": "again"[\s\S]*y once/)
    await terminal.answer('s')
    assert.match(textOf(await again), /again/)
    assert.match(textOf(await mcp.tools.call('one__write', { text: 'without a question' })), /without a question/)
  })
})

describe('inbox, in a project', () => {
  it("a project's file is shown as what it permits; y lets that count, and status names the command before", async () => {
    await using at = hostHome()
    const file = join(at.project, 'trunkline.json')
    writeFileSync(file, JSON.stringify({ policy: { allow: ['one:*'] } }))
    await at.up()
    const status = async () => (await at.run('status')).stdout
    const api = apiOf(at)
    await until(async () => (await api.call('inbox')).items.length > 0)
    assert.match(await status(), /trunkline\.json permits nothing until you accept it: trunkline inbox/)
    await using terminal = await open(at, 'inbox')
    await terminal.until(
      /May what this file of a project permits count\?[\s\S]*\+ policy\.allow = \["one:\*"\][\s\S]*y accept, n refuse/,
    )
    await terminal.answer('y')
    await terminal.until(/y accept, n refuse, Tab later: y\nAccepted\n/)
    await until(async () => !(await status()).includes('permits nothing until'))
    assert.match((await at.run('config', 'explain', 'policy.allow')).stdout, /one:\*/)
  })
})
