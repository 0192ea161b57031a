import assert from 'node:assert/strict'
import type { Fields } from '@trunkline/mcp'
import { deferred } from '../../src/relay/deferred.ts'
import { textOf } from '../gateway/running-host.ts'
import { type Behaviour, result, said, shown } from './behaviours.ts'
import type { Caller } from './world.ts'

/** Requests of a server to its caller. */
export const asking: { readonly [what: string]: Behaviour } = {
  async 'a form'(cell) {
    const asked: Fields[] = []
    cell.caller.answering = (method, params) => {
      asked.push({ method, ...params })
      return { action: 'accept', content: { name: 'Ada' } }
    }
    assert.equal(await said(cell, 'form'), 'Ada')
    const [{ method, mode, message, requestedSchema } = {}, ...more] = asked
    assert.deepEqual(more, [])
    assert.deepEqual({ method, mode }, { method: 'elicitation/create', mode: 'form' })
    assert.equal(message, `[server ${cell.server}] Who are you?`)
    assert.deepEqual((requestedSchema as Fields).properties, { name: { type: 'string' } })
  },

  async 'a form that is declined'(cell) {
    cell.caller.answering = () => ({ action: 'decline' })
    const declined = await result(cell, 'form')
    assert.equal(declined.isError, true)
    assert.match(textOf(declined), /decline/)
  },

  async 'a form for a secret, which nobody is shown'(cell) {
    const asked: string[] = []
    cell.caller.answering = (method) => {
      asked.push(method)
      return { action: 'accept', content: { password: 'hunter2' } }
    }
    const heard = await result(cell, 'unlock').then(textOf, (error: Error) => error.message)
    assert.match(heard, /Cannot ask for "password" in a form/)
    assert.deepEqual(asked, [])
  },

  async 'a page to visit'(cell) {
    let asked: Fields = {}
    cell.caller.answering = (_method, params) => {
      asked = params
      return { action: 'accept' }
    }
    assert.equal(await said(cell, 'visit'), 'visited')
    assert.equal(asked.mode, 'url')
    assert.equal(asked.url, 'https://example.com/sign-in?for=matrix')
    assert.equal(asked.message, `[server ${cell.server}] Sign in there`)
  },

  async 'a prompt for its model'(cell) {
    let asked: Fields = {}
    const content = { type: 'text', text: 'something' }
    cell.caller.answering = (_method, params) => {
      asked = params
      return { role: 'assistant', content, model: 'a-model', stopReason: 'endTurn' }
    }
    assert.deepEqual(JSON.parse(await said(cell, 'sample')), { content, model: 'a-model' })
    const { messages, maxTokens, temperature, systemPrompt } = asked
    assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: 'Say something' } }])
    assert.deepEqual(
      { maxTokens, temperature, systemPrompt },
      { maxTokens: 7, temperature: 0.5, systemPrompt: 'Be brief' },
    )
  },

  async 'its roots'(cell) {
    const roots = [{ uri: 'file:///work', name: 'work' }]
    cell.caller.answering = (method) => {
      assert.equal(method, 'roots/list')
      return { roots }
    }
    assert.deepEqual(JSON.parse(await said(cell, 'roots')), roots)
  },

  async 'two callers at once: each is asked what concerns it, or the person is'(cell) {
    const two = await cell.world.caller(cell.callerSide, 'two')
    const room = `${cell.callerSide.shape}-${cell.callerSide.over}`
    const asked: string[] = []
    // over one pipe a server with a handshake does not say which call a question is about
    const isGuess = cell.serverSide.shape === 'handshake' && cell.serverSide.over === 'stdio'
    const stop = answerLocally(cell, (message) => asked.push(`person: ${message}`))
    const meet = async (caller: Caller, who: string) => {
      caller.answering = (_method, { message }) => {
        asked.push(`${who}: ${message}`)
        return { action: 'accept', content: { name: who.toUpperCase() } }
      }
      const progress: unknown[] = []
      const onProgress = ({ message }: { readonly message?: string }) => progress.push(message)
      const called = await caller.client.tools.call(shown(cell, 'meet'), { who, room }, { onProgress })
      return { text: textOf(called), progress }
    }
    two.logs.length = 0
    const both = await Promise.all([meet(cell.caller, 'ann'), meet(two, 'bob')])
    stop()
    if (isGuess) {
      const lines = cell.world.running.host.servers.get(cell.server)?.log.lines.map(({ text }) => text) ?? []
      for (const who of ['ann', 'bob'])
        assert.ok(lines.includes(`(log) warning met ${who} in ${room}`), lines.join('\n'))
      assert.deepEqual([cell.caller.logs, two.logs], [[], []], 'a caller hears what another may have caused')
    }
    const name = (who: string) => (isGuess ? 'LOCAL' : who.toUpperCase())
    assert.deepEqual(
      both.map(({ text }) => text),
      [`ann is ${name('ann')}`, `bob is ${name('bob')}`],
    )
    for (const [index, who] of ['ann', 'bob'].entries())
      assert.ok(
        both[index]?.progress.every((heard) => heard === who),
        `${who} heard ${both[index]?.progress}`,
      )
    const from = (who: string) => `${isGuess ? 'person' : who}: [server ${cell.server}] Who is ${who}?`
    assert.deepEqual(asked.sort(), [from('ann'), from('bob')].sort())
  },

  async 'two calls of one caller at once: the caller is asked about both'(cell) {
    const asked: string[] = []
    const room = `${cell.callerSide.shape}-${cell.callerSide.over}, alone`
    const stop = answerLocally(cell, (message) => asked.push(`person: ${message}`))
    cell.caller.answering = (_method, { message }) => {
      asked.push(String(message))
      const [, who = ''] = /Who is (\w+)\?/.exec(String(message)) ?? []
      return { action: 'accept', content: { name: who.toUpperCase() } }
    }
    const both = await Promise.all(['ann', 'bob'].map((who) => said(cell, 'meet', { who, room })))
    stop()
    assert.deepEqual(both, ['ann is ANN', 'bob is BOB'])
    assert.deepEqual(asked.sort(), [`[server ${cell.server}] Who is ann?`, `[server ${cell.server}] Who is bob?`])
  },

  async 'a question that the server withdraws'(cell) {
    if (cell.serverSide.shape === 'stateless') return assert.equal(await said(cell, 'withdraw'), 'nothing was asked')
    const withdrawn = deferred<void>()
    const two = await cell.world.caller(cell.callerSide, 'two')
    cell.caller.answering = async (_method, _params, signal) => {
      signal?.addEventListener('abort', () => withdrawn.resolve())
      await two.client.tools.call(shown(cell, 'release'), {})
      // a caller without a session has the question already, and hears of it with its next round
      if (cell.callerSide.shape === 'handshake') await withdrawn.promise
      return { action: 'accept', content: { name: 'too late' } }
    }
    assert.equal(await said(cell, 'withdraw'), 'withdrawn')
    if (cell.callerSide.shape === 'handshake') await withdrawn.promise
  },
}

/** Answers questions at this machine that no caller is asked. */
function answerLocally({ world }: Parameters<Behaviour>[0], onAsked: (message: string) => void): () => void {
  const { inbox } = world.running.host
  return inbox.addDoor({
    name: 'test',
    isLocal: true,
    present: ({ id, kind, detail }) => {
      if (kind === 'start' || kind === 'definition') return
      onAsked(String((detail as Fields).message))
      void inbox.answer(id, { choice: 'once', content: { name: 'LOCAL' }, by: 'test' }, { isLocal: true })
    },
    withdraw() {},
  })
}
