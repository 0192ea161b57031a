import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { hasProgram } from '../has-program.ts'
import { inTerminal } from '../tmux.ts'
import { type ChatHome, chatHome } from './chat-home.ts'

const limit = { timeout: 120_000, skip: lacking('tmux', hasProgram('tmux')) }
const echo = (text: string) => ({ id: 'e', name: 'one__echo', arguments: { text } })
const write = { id: 'w', name: 'one__write', arguments: { text: 'precious' } }

describe('chat in a home with a model', () => {
  let home: ChatHome
  before(async () => {
    const small = { name: 'small-1', contextTokens: 4_000, maxOutputTokens: 500 }
    home = await chatHome([], { name: 'big-1' }, { quick: small })
  })
  after(() => home[Symbol.asyncDispose]())

  describe('chat: commands of its own', () => {
    it('lists models, changes them, counts tokens, and suggests the near word', limit, async () => {
      home.provider.say({ text: ['Hello'] })
      await using terminal = await inTerminal(['chat'], { HOME: home.at.home, TRUNKLINE_HOST_PORT: '0' })
      await terminal.until(/> /)
      await terminal.type('/help', 'Enter')
      await terminal.until(/\/model {2}lists the models[\s\S]*\/tokens[\s\S]*@ADDRESS[\s\S]*\n> /)
      await terminal.type('/model', 'Enter')
      await terminal.until(/best big-1 \(compatible\), the usual one\nquick small-1 \(compatible\)\n> /)
      await terminal.type('/modle', 'Enter')
      await terminal.until(/Cannot find "\/modle"[^\n]*\nDid you mean \/model\?/)
      await terminal.type('/model nonesuch', 'Enter')
      await terminal.until(/Cannot find the model "nonesuch": there are "best", "quick"/)
      await terminal.type('/model quick', 'Enter')
      await terminal.until(/A new conversation with quick/)
      await terminal.type('Hi', 'Enter')
      await terminal.until(/Hello[\s\S]*10 tokens in, 5 out/)
      assert.equal(home.provider.seen[0]?.body.model, 'small-1')
      await terminal.type('/tokens', 'Enter')
      await terminal.until(
        /This conversation: 15 tokens\nThe last day, with sampling: 15 tokens in 1 requests, 0\.0000/,
      )
      await terminal.type('/exit', 'Enter')
      await terminal.until(/exit:0/)
    })

    it('tells by which rule a long conversation is shortened, in words and as JSON', async () => {
      const long = 'x'.repeat(9_000)
      home.provider.say({ calls: [echo(long)] }, { text: ['Long'] })
      const first = await home.at.run('chat', '--model', 'quick', '--print', 'Go')
      assert.equal(first.exit, 0, first.stderr)
      assert.match(
        first.stderr,
        /The model is not given 0 turns, and 1 results in part\. What does not fit is left out/,
      )
      assert.match(first.stderr, /cut to 1000 characters, then the oldest turns go as a whole/)
      assert.doesNotMatch(first.stdout, /not given/)
    })
  })

  describe('chat --print --wait', () => {
    it('waits for a decision made elsewhere, and goes on with it', async () => {
      home.provider.say({ calls: [write] }, { text: ['Written'] })
      const running = home.at.run('chat', '--print', 'Go', '--wait')
      let id: string | undefined
      while (id === undefined) id = (await home.api.call('inbox')).items.find(({ kind }) => kind === 'call')?.id
      await home.api.call('answer', { id, choice: 'once', door: 'terminal' })
      const { exit, stdout, stderr } = await running
      assert.equal(exit, 0, stderr)
      assert.match(stdout, /Written\n$/)
      assert.match(stderr, /"one:write" waits for a decision elsewhere[\s\S]*← one__write/)
    })
  })
})
