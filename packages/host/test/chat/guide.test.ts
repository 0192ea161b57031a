import assert from 'node:assert/strict'
import { test } from 'node:test'
// region chat
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { Chat, sdkModel } from '@trunkline/host/chat'
import { connect, server } from '@trunkline/mcp'
// endregion
import { providerKey, scriptedProvider } from '../model/scripted-provider.ts'

test('the conversation of the guide', async () => {
  const replies = [{ calls: [{ id: 'a', name: 'time', arguments: {} }] }, { text: ['It is', ' noon'] }]
  await using scripted = await scriptedProvider(...replies)
  const { url } = scripted
  const clock = server({ name: 'clock', version: '1.0.0' }).tool('time', {}, () => '12:00')
  const said: string[] = []
  const write = (text: string) => said.push(text)
  // region chat
  const provider = createOpenAICompatible({ name: 'local', baseURL: url, apiKey: providerKey, includeUsage: true })
  await using client = await connect(clock)
  const chat = new Chat({ client, model: sdkModel(provider('llama3.3')) })
  await chat.send([{ type: 'text', text: 'What time is it?' }], {
    signal: AbortSignal.timeout(60_000),
    onEvent: (event) => {
      if (event.type === 'call') write(`(calling ${event.name}) `)
      if (event.type === 'text') write(event.text)
    },
  })
  // endregion
  assert.equal(said.join(''), '(calling time) It is noon')
  assert.equal(chat.entries.length, 4)
})
