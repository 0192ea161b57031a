/** The café of these tests, served by this library in the revisions that are named as arguments. */
import { audio, embed, image, reply, serve, server, text } from '@trunkline/mcp'
import { z } from 'zod'
import { gate } from '../../gate.ts'

const [, , ...revisions] = process.argv
const finished = gate()
const aborted = gate<string>()

const cafe = server({
  name: 'cafe',
  version: '1.0.0',
  instructions: 'Be polite',
  pageSize: 2,
  keys: ['a secret of at least 32 characters'],
  ...(revisions.length > 0 && { revisions }),
})
  .tool(
    'add',
    { input: z.object({ a: z.number(), b: z.number() }), output: z.object({ sum: z.number() }) },
    ({ a, b }) => ({ sum: a + b }),
  )
  .tool('fail', {}, () => {
    throw new Error('the machine is broken')
  })
  .tool('show', {}, () => [
    text('a cup'),
    image(new Uint8Array([1, 2, 3]), 'image/png'),
    embed('cafe://menu', 'espresso, cortado', 'text/plain'),
  ])
  .tool('hear', {}, () => audio(new Uint8Array([4, 5, 6]), 'audio/wav'))
  .tool('steps', {}, async (_input, ctx) => {
    await ctx.progress(1, 3, 'grinding')
    await ctx.progress(2, 3, 'pressing')
    await ctx.progress(3, 3, 'pouring')
    await finished.promise
    return 'served'
  })
  .tool('finish', {}, () => {
    finished.open()
    return 'finished'
  })
  .tool('hang', {}, async (_input, ctx) => {
    ctx.signal.addEventListener('abort', () => aborted.open('aborted'))
    await ctx.progress(1)
    await new Promise(() => {})
  })
  .tool('aborted', {}, () => aborted.promise)
  .tool('ask', {}, async (_input, ctx) => {
    const { milk } = await ctx.elicit('With milk?', z.object({ milk: z.boolean() }))
    return milk ? 'with milk' : 'black'
  })
  .tool('ask-twice', {}, async (_input, ctx) => {
    const { milk } = await ctx.elicit('With milk?', z.object({ milk: z.boolean() }))
    const { content } = await ctx.sample({
      messages: [{ role: 'user', content: text(milk ? 'milk' : 'none') }],
      maxTokens: 10,
    })
    return JSON.stringify(content)
  })
  .tool('visit', {}, async (_input, ctx) => {
    await ctx.elicitUrl('Pay here', 'https://cafe.example/pay')
    return 'paid'
  })
  .tool('think', {}, async (_input, ctx) => {
    const { content } = await ctx.sample({ messages: [{ role: 'user', content: text('a cake?') }], maxTokens: 10 })
    return JSON.stringify(content)
  })
  .tool('where', {}, async (_input, ctx) => (await ctx.roots()).map(({ uri }) => uri).join())
  .tool('log', {}, async (_input, ctx) => {
    await ctx.log('debug', 'too quiet to hear')
    await ctx.log('warning', 'low on milk', 'kitchen')
    return 'logged'
  })
  .tool('touch', {}, () => {
    cafe.resources.updated('cafe://menu')
    return 'touched'
  })
  .tool('grow', {}, () => {
    cafe.tool('grown', {}, () => 'new')
    return reply('grown')
  })
  .resource('cafe://menu', { name: 'menu', mimeType: 'text/plain' }, () => 'espresso, cortado')
  .resource('cafe://logo', { name: 'logo', mimeType: 'image/png' }, () => new Uint8Array([1, 2, 3]))
  .template(
    'cafe://cups/{size}',
    { name: 'cups', complete: { size: (start) => ['small', 'large'].filter((size) => size.startsWith(start)) } },
    ({ size }) => `a ${size} cup`,
  )
  .prompt('greet', {}, () => 'Good morning')
  .prompt('thank', {}, () => 'Thank you')
  .prompt(
    'recommend',
    {
      arguments: z.object({ mood: z.string() }),
      complete: { mood: (start) => ['happy', 'hungry', 'sad'].filter((mood) => mood.startsWith(start)) },
    },
    ({ mood }) => `What suits somebody who is ${mood}?`,
  )

await serve(cafe)
