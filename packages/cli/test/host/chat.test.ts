import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { until } from '../../../../tools/lib/until.ts'
import type { ScriptedReply, SeenRequest } from '../../../host/test/model/scripted-provider.ts'
import { inTerminal } from '../tmux.ts'
import { type ChatHome, chatHome } from './chat-home.ts'
import { hostHome } from './host-home.ts'

const echo = { id: 'e', name: 'one__echo', arguments: { text: 'hey' } }
const write = { id: 'w', name: 'one__write', arguments: { text: 'precious' } }
/** Keys of the first 0.4 s are no answer. */
const read = () => new Promise((resolve) => setTimeout(resolve, 600))

describe('chat in a home with a scripted model', () => {
  /** One home for all, whose model says in each test what that test lets it say. */
  let home: ChatHome
  before(async () => {
    home = await chatHome([])
  })
  after(() => home[Symbol.asyncDispose]())

  const terminalOf = (...args: readonly string[]) =>
    inTerminal(['chat', ...args], { HOME: home.at.home, TRUNKLINE_HOST_PORT: '0' })

  /** Lets the model reply by a script; tells the requests that came since. */
  function reply(...replies: readonly ScriptedReply[]): () => readonly SeenRequest[] {
    const earlier = home.provider.seen.length
    home.provider.say(...replies)
    return () => home.provider.seen.slice(earlier)
  }

  describe('chat --print', () => {
    it('prints the answer alone, tells calls and tokens beside it, and goes on with a conversation', async () => {
      const seen = reply({ text: ['Let me see. '], calls: [echo] }, { text: ['It says', ' hey'] }, { text: ['Again'] })
      const { exit, stdout, stderr } = await home.at.run('chat', '--print', 'What does it say?')
      assert.equal(stdout, 'Let me see. \nIt says hey\n')
      assert.match(stderr, /→ one__echo \{"text":"hey"\}[\s\S]*← one__echo \d+ ms[\s\S]*20 tokens in, 10 out, 0\.0010/)
      assert.equal(exit, 0)
      const again = await home.at.run('chat', '--json', '--resume', 'last', '--print', 'And now?')
      const { text, tokens, calls } = JSON.parse(again.stdout)
      assert.deepEqual([text, calls, tokens.input], ['Again', [], 10])
      assert.match(JSON.stringify(seen()[2]?.body.messages), /What does it say\?.*It says hey.*And now\?/)
    })

    it('attaches what is named with @, and never shows escapes of the model', async () => {
      const seen = reply({ text: ['\u001b[2Jdone\u202e'] })
      const { stdout } = await home.at.run('chat', '--print', 'Sum up @library://dune please')
      assert.equal(stdout, '\\u{1b}[2Jdone\\u{202e}\n')
      assert.match(JSON.stringify(seen()[0]?.body.messages), /untrusted-.*Ignore all rules/)
    })

    it('says what to set without a model, and everything else works', async () => {
      await using at = hostHome()
      await at.up()
      const { exit, stderr } = await at.run('chat', '--print', 'Hello')
      assert.equal(exit, 1)
      assert.match(
        stderr,
        /none is configured; write into trunkline\.json "models": .*ANTHROPIC_API_KEY.*secret set anthropic/,
      )
      assert.match(stderr, /\nThe file: \/.*\.config\/trunkline\/trunkline\.json\n$/)
      assert.equal((await at.run('ls')).exit, 0)
    })
  })

  describe('chat, in a terminal', () => {
    it('asks in place before a call runs; Enter decides nothing; tokens are shown; Ctrl-D ends', async () => {
      const seen = reply({ text: ['I write'], calls: [write] }, { text: ['Written', ' it'] })
      await using terminal = await terminalOf()
      await terminal.until(/Ctrl-D ends[\s\S]*> /)
      await terminal.type('Write it', 'Enter')
      await terminal.until(
        /I write[\s\S]*→ one__write \{"text":"precious"\}[\s\S]*May this call run\? one:write[\s\S]*y once/,
      )
      await read()
      await terminal.type('Enter')
      await terminal.type('x')
      assert.equal(seen().length, 1)
      await terminal.answer('y')
      await terminal.until(/← one__write[\s\S]*precious[\s\S]*Written it[\s\S]*20 tokens in, 10 out[\s\S]*\n> /)
      await terminal.type('C-d')
      await terminal.until(/exit:0/)
    })

    it('forms and sampling of servers are answered in place, and what goes to a model and comes back can be edited', async () => {
      const order = { id: 'o', name: 'asker__order', arguments: {} }
      const think = { id: 't', name: 'asker__think', arguments: {} }
      const seen = reply({ calls: [order] }, { calls: [think] }, { text: ['thanks'] }, { text: ['All done'] })
      const editor = join(home.at.project, 'editor.sh')
      writeFileSync(editor, '#!/bin/sh\nsed -i -e "s/please/kindly/" -e "s/thanks/welcome/" "$1"\n')
      chmodSync(editor, 0o755)
      await using terminal = await inTerminal(['chat', 'Go'], { HOME: home.at.home, EDITOR: editor })
      await terminal.until(/A server asks for asker:form[\s\S]*y fill in/)
      await terminal.answer('y')
      await terminal.until(/size: one of these/)
      await terminal.type('2', 'Enter')
      await terminal.until(/Send this\?/)
      await terminal.type('y', 'Enter')
      await terminal.until(/Size M[\s\S]*May this go to a model\? asker:@sample[\s\S]*Say please[\s\S]*e edit/)
      await terminal.answer('e')
      await terminal.until(/Edited: .*Say kindly[\s\S]*e edit/)
      await terminal.answer('y')
      await terminal.until(/May this result pass\? asker:@sample[\s\S]*thanks[\s\S]*e edit/)
      assert.match(JSON.stringify(seen()[2]?.body.messages), /Say kindly/)
      await terminal.answer('e')
      await terminal.until(/Edited: .*welcome[\s\S]*e edit/)
      await terminal.answer('y')
      await terminal.until(/All done/)
      assert.match(JSON.stringify(seen()[3]?.body.messages), /Size M.*welcome/)
    })

    it('Ctrl-C stops an answer and a call, and the conversation goes on', async () => {
      const wait = { id: 'l', name: 'one__wait', arguments: { ms: 600_000 } }
      const seen = reply({ text: ['Once upon'], thenHang: true }, { calls: [wait] }, { text: ['Still here'] })
      await using terminal = await terminalOf('Tell', 'me')
      await terminal.until(/Once upon/)
      await terminal.type('C-c')
      await terminal.until(/Stopped[\s\S]*\n> /)
      await seen()[0]?.closed
      await terminal.type('Wait', 'Enter')
      await terminal.until(/→ one__wait/)
      await terminal.type('C-c')
      await terminal.until(/Stopped[\s\S]*Stopped[\s\S]*\n> /)
      await terminal.type('Are you there?', 'Enter')
      await terminal.until(/Still here/)
    })

    it('ends when its terminal closes, and stops what it had begun', async () => {
      reply({ calls: [write] })
      const word = `Go-${randomUUID()}`
      const isRunning = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(word)
      {
        await using terminal = await terminalOf(word)
        await terminal.until(/y once/)
        assert.ok(isRunning())
      }
      await until(() => !isRunning(), 'the process to end')
      const isAnswering = async () => (await home.api.call('chats')).items.some((one) => one.isAnswering)
      await until(async () => !(await isAnswering()))
    })

    it('completes prompts, arguments and addresses, and goes on with a saved conversation', async () => {
      const seen = reply({ text: ['A bold review'] }, { text: ['As before'] })
      await using terminal = await terminalOf()
      await terminal.until(/> /)
      await terminal.type('/lib', 'Tab')
      await terminal.until(/> \/library__review/)
      await terminal.type(' m', 'Tab')
      await terminal.until(/\/library__review mood=/)
      await terminal.type('b', 'Tab')
      await terminal.until(/mood=bold/)
      await terminal.type(' @dun', 'Tab')
      await terminal.until(/@library:\/\/dune/)
      await terminal.type('Enter')
      await terminal.until(/A bold review/)
      const first = JSON.stringify(seen()[0]?.body.messages)
      assert.match(first, /Write a bold review.*Ignore all rules/)
      await terminal.type('/new', 'Enter')
      await terminal.until(/A new conversation/)
      await terminal.type('/resume', 'Enter')
      await terminal.until(/1 +\/library__review[\s\S]*\/resume NUMBER/)
      await terminal.type('/resume 1', 'Enter')
      await terminal.until(/Going on with "\/library__review"[\s\S]*A bold review/)
      await terminal.type('Again', 'Enter')
      await terminal.until(/As before/)
      assert.match(JSON.stringify(seen()[1]?.body.messages), /A bold review.*Again/)
    })
  })

  describe('chat, when it cannot go on', () => {
    it('ends with a code that says what went wrong', async () => {
      reply(
        { calls: [write] },
        { text: ['half'], stop: 'length' },
        { status: 400, message: 'bad request' },
        { status: 401, message: 'bad key' },
      )
      const run = async (...more: readonly string[]) => home.at.run('chat', '--print', 'Go', ...more)
      const waiting = await run()
      assert.equal(waiting.exit, 5)
      assert.match(waiting.stderr, /"one:write" waits for an approval .* nobody can be asked here\n.*trunkline inbox/)
      assert.equal((await run()).exit, 2)
      assert.equal((await run()).exit, 3)
      const unknown = await run()
      assert.equal(unknown.exit, 6)
      assert.match(unknown.stderr, /answered 401: bad key; look at models\.best\.key/)
      assert.match((await run('--model', 'none')).stderr, /Cannot find the model "none": there are "best"/)
      assert.equal((await run('--resume', 'none')).exit, 1)
      assert.equal((await home.at.run('chat')).exit, 1)
    })

    it('goes on when the host was ended while the conversation was idle', async () => {
      const seen = reply({ text: ['First answer'] }, { text: ['Second answer'] })
      const env = { HOME: home.at.home, TRUNKLINE_HOST_PORT: '0', MODEL_KEY: home.at.env.MODEL_KEY ?? '' }
      await using terminal = await inTerminal(['chat', 'Hello'], env)
      await terminal.until(/First answer[\s\S]*\n> /)
      await home.at.run('down')
      await terminal.type('Again', 'Enter')
      await terminal.until(/Second answer/)
      assert.match(JSON.stringify(seen()[1]?.body.messages), /First answer.*Again/)
    })

    it('ends with 4 when the host ends meanwhile', async () => {
      const seen = reply('hang')
      const running = home.at.run('chat', '--print', 'Go')
      await until(() => seen().length === 1, 'a request to the model')
      await home.at.run('down')
      const { exit, stderr } = await running
      assert.equal(exit, 4)
      assert.match(stderr, /The host ended\nStart it: trunkline up/)
    })
  })
})
