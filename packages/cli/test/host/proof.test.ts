import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { ApiClient } from '@trunkline/host/api'
import { type Client, connect } from '@trunkline/mcp'
import { inTerminal, type TerminalSession } from '../tmux.ts'
import { acceptServer, apiOf } from './host-api.ts'
import { type HostHome, hostHome, upstreamEntry } from './host-home.ts'

const pin = '739154'
const open = (at: HostHome, ...args: readonly string[]) => inTerminal(args, { HOME: at.home, TRUNKLINE_HOST_PORT: '0' })
const stateOf = ({ home }: HostHome, name: string) => join(home, '.local/state/trunkline', name)

/** A host with a server whose tool "write" destroys, and a client of it. */
async function destroying(at: HostHome, policy: object = {}): Promise<Client> {
  at.configure({ mcpServers: { one: upstreamEntry }, policy })
  const { ready } = await at.up()
  const api = apiOf(at)
  await acceptServer(api, 'one')
  await api.call('changeEntry', { server: 'one', tool: 'write', class: 'destroys' })
  const token = readFileSync(ready.tokenFile ?? '', 'utf8').trim()
  return connect(new URL(ready.mcp ?? ''), { http: { headers: { authorization: `Bearer ${token}` } } })
}

/** Types a PIN where one is asked for. */
async function typePin(terminal: TerminalSession, text = pin): Promise<void> {
  await terminal.type(text, 'Enter')
}

async function setPin(at: HostHome): Promise<void> {
  await using terminal = await open(at, 'proof', 'set')
  await terminal.until(/New PIN, at least 6 characters/)
  await typePin(terminal)
  await terminal.until(/The same again:/)
  await typePin(terminal)
  const shown = await terminal.until(/Needed for: destroys, policy[\s\S]*exit:0/)
  assert.doesNotMatch(shown, new RegExp(pin))
}

/** Answer of a call once its question is answered, however long that takes. */
async function collected(mcp: Client, text: string): Promise<string> {
  for (;;) {
    const answer = textOf(await mcp.tools.call('one__write', { text }))
    if (!/waits for a person's approval/.test(answer)) return answer
  }
}

/** The question that waits, once one does. */
async function firstQuestion(api: ApiClient): Promise<string> {
  for (;;) {
    const [question] = (await api.call('inbox')).items
    if (question) return question.id
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const textOf = ({ content }: { readonly content: readonly object[] }) => JSON.stringify(content)

describe('proof, with a PIN', () => {
  // in this order: the PIN is set in the first test, and removed in the last but one
  let at: HostHome
  let mcp: Client
  before(async () => {
    at = hostHome()
    mcp = await destroying(at)
  })
  after(async () => {
    await mcp[Symbol.asyncDispose]()
    await at[Symbol.asyncDispose]()
  })

  it('is not taken from a pipe, from the command line, or by the host from a process without a terminal', async () => {
    const piped = await at.run('proof', 'set')
    assert.equal(piped.exit, 5)
    assert.match(piped.stderr, /run it in a terminal/i)
    const typed = await at.run('proof', 'set', pin)
    assert.equal(typed.exit, 1)
    assert.match(typed.stderr, /Cannot take a PIN from the command line/)
    assert.doesNotMatch(typed.stderr, new RegExp(pin))
    await assert.rejects(apiOf(at).call('setPin', { pin }), { status: 403, message: /A PIN is typed in a terminal/ })
    await setPin(at)
    await assert.rejects(apiOf(at).call('enterPin', { pin }), { status: 403, message: /A PIN is typed in a terminal/ })
  })

  it('is asked for what destroys in the process that decides, and opens no other process and no other terminal', async () => {
    const calling = collected(mcp, 'gone')
    await using watching = await open(at, 'inbox', '--watch')
    await watching.until(/May this call run\? one:write[\s\S]*y once/)
    await watching.answer('y')
    await watching.until(/PIN:/)
    await typePin(watching, '000000')
    await watching.until(/The PIN is wrong; 4 more can be tried\nPIN:/)
    await typePin(watching)
    await watching.until(/Allowed, this once/)
    assert.match(await calling, /gone/)

    // the process in which it was typed decides on; another one, in another terminal or in none, does not
    const second = collected(mcp, 'second')
    await watching.until(/"text": "second"[\s\S]*y once/)
    const [question] = (await apiOf(at).call('inbox')).items
    await assert.rejects(apiOf(at).call('answer', { id: question?.id ?? '', choice: 'once', door: 'terminal' }), {
      status: 403,
      message: /This needs your PIN/,
    })
    await using other = await open(at, 'inbox')
    await other.until(/"text": "second"[\s\S]*y once/)
    await other.answer('y')
    await other.until(/PIN:/)
    await watching.answer('y')
    assert.match(await second, /second/)
    assert.doesNotMatch((await watching.until(/Allowed[\s\S]*Allowed/)).split('"second"')[1] ?? '', /PIN/)
  })

  it('is not asked to refuse, and not for what it was not chosen for', async () => {
    const api = apiOf(at)
    for (const [tool, choice] of [
      ['one__write', 'refuse'],
      ['one__pid', 'once'],
    ] as const) {
      const calling = mcp.tools.call(tool, tool === 'one__write' ? { text: 'x' } : {})
      await api.call('answer', { id: await firstQuestion(api), choice, door: 'terminal' })
      assert.equal((await calling).isError === true, choice === 'refuse')
    }
    await assert.rejects(api.call('addRule', { effect: 'allow', rule: 'one:echo' }), /This needs your PIN/)
  })

  it('the present PIN is needed to change it, to choose what it is for, and to remove it', async () => {
    await using changing = await open(at, 'proof', 'change')
    await changing.until(/^PIN:/m)
    await typePin(changing)
    for (const asked of [/New PIN/, /The same again/]) {
      await changing.until(asked)
      await typePin(changing, '246802')
    }
    await changing.until(/The PIN is set[\s\S]*exit:0/)
    for (const words of [
      ['for', 'everything'],
      ['remove', 'pin'],
    ]) {
      await using terminal = await open(at, 'proof', ...words)
      await terminal.until(/^PIN:/m)
      await typePin(terminal)
      await terminal.until(/The PIN is wrong/)
      await typePin(terminal, '246802')
      await terminal.until(/exit:0/)
    }
    assert.equal(existsSync(stateOf(at, 'proof.json')), false)
    assert.match((await at.run('proof')).stdout, /No proof is enrolled/)
  })

  it('where the configuration wants a proof and none is enrolled, that is said and nothing is decided', async () => {
    at.configure({ mcpServers: { one: upstreamEntry }, policy: { proof: ['destroys'] } })
    const api = apiOf(at)
    while (!(await api.call('proof')).scopes.includes('destroys'))
      await new Promise((resolve) => setTimeout(resolve, 50))
    const calling = mcp.tools.call('one__write', { text: 'x' })
    const answer = { id: await firstQuestion(api), door: 'terminal' } as const
    await assert.rejects(
      api.call('answer', { ...answer, choice: 'once' }),
      /none is enrolled: set a PIN with "trunkline proof set"/,
    )
    await api.call('answer', { ...answer, choice: 'refuse' })
    assert.equal((await calling).isError, true)
  })
})

describe('proof, over a restart of the host', () => {
  // in this order: the second one finds the PIN of the first
  const at = hostHome()
  after(() => at[Symbol.asyncDispose]())

  it('gives five tries, which a restart of the host does not give anew', async () => {
    at.configure({ mcpServers: { one: upstreamEntry } })
    await at.up()
    await setPin(at)
    {
      await using terminal = await open(at, 'proof', 'for', 'everything')
      for (let left = 4; left >= 0; left--) {
        await terminal.until(left === 4 ? /PIN:/ : new RegExp(`${left + 1} more can be tried\\nPIN:`))
        await typePin(terminal, `00000${left}`)
      }
      await terminal.until(/Too many wrong PINs: the next one can be tried 20[\s\S]*exit:5/)
    }
    await at.run('down')
    await at.up()
    await using again = await open(at, 'proof', 'for', 'everything')
    await again.until(/PIN:/)
    await typePin(again)
    await again.until(/Too many wrong PINs[\s\S]*exit:5/)
    const { items } = await apiOf(at).call('ledger', {})
    assert.deepEqual(
      items.filter(({ line }) => line.target === 'proof').map(({ line }) => line.outcome),
      ['proof refused', 'proof set'],
    )
  })

  it('a hash that was deleted is told, and nothing that needs it is decided', async () => {
    const mark = readFileSync(stateOf(at, 'proof.json'), 'utf8')
    await at.run('down')
    const { DatabaseSync } = await import('node:sqlite')
    const store = new DatabaseSync(stateOf(at, 'trunkline.db'))
    store.exec('DELETE FROM proof_enrolment')
    store.close()
    await at.up()
    const rule = { effect: 'allow', rule: 'one:echo' } as const
    await assert.rejects(apiOf(at).call('addRule', rule), /Your proof is damaged: it is missing from the store/)
    await assert.rejects(apiOf(at).call('setPin', { pin: '111111' }), /damaged/)
    assert.match(
      (await at.run('proof')).stdout,
      /Damaged: it is missing from the store; nothing that needs it is decided/,
    )
    const { damages } = JSON.parse((await at.run('doctor', '--json')).stdout)
    assert.deepEqual(damages, [
      {
        part: 'proof',
        why: 'it is missing from the store; nothing that needs it is decided until it is restored or reset',
        command: 'trunkline proof reset --forgotten',
      },
    ])
    assert.match(
      (await at.run('doctor')).stdout,
      /proof damaged: it is missing.*\n {2}trunkline proof reset --forgotten/,
    )
    // without the file beside it, it was never there; with the setting it is demanded all the same
    rmSync(stateOf(at, 'proof.json'))
    assert.match((await at.run('proof')).stdout, /No proof is enrolled/)
    writeFileSync(stateOf(at, 'proof.json'), mark)
    await using terminal = await open(at, 'proof', 'reset', '--forgotten')
    await terminal.until(/in 24 hours[\s\S]*\[y\/n\]/)
    await terminal.answer('y')
    await terminal.until(/A reset takes effect[\s\S]*exit:0/)
    await assert.rejects(apiOf(at).call('addRule', rule), /Your proof is damaged/)
  })
})
