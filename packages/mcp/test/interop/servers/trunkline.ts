import { audio, embed, image, type Server, server, text } from '@trunkline/mcp'
import { z } from 'zod'
import { type Kitchen, kitchen } from './kitchen.ts'

/** A new café of this library, in every revision or in those that are named. */
export function trunklineCafe(revisions: readonly string[] = []): Server {
  const cafe = server({
    name: 'cafe',
    version: '1.0.0',
    instructions: 'Be polite',
    pageSize: 2,
    keys: ['a secret of at least 32 characters'],
    ...(revisions.length > 0 && { revisions }),
  })
  offerContent(cafe)
  offerWork(cafe, kitchen())
  offerQuestions(cafe)
  offerChanges(cafe)
  offerResources(cafe)
  offerPrompts(cafe)
  return cafe
}

function offerContent(cafe: Server): void {
  cafe
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
}

function offerWork(cafe: Server, { finished, aborted }: Kitchen): void {
  cafe
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
    .tool('log', {}, async (_input, ctx) => {
      await ctx.log('debug', 'too quiet to hear')
      await ctx.log('warning', 'low on milk', 'kitchen')
      return 'logged'
    })
}

function offerQuestions(cafe: Server): void {
  const preference = z.object({ milk: z.boolean() })
  const asking = (question: string) => ({
    messages: [{ role: 'user' as const, content: text(question) }],
    maxTokens: 10,
  })
  cafe
    .tool('ask', {}, async (_input, ctx) => {
      const { milk } = await ctx.elicit('With milk?', preference)
      return milk ? 'with milk' : 'black'
    })
    .tool('ask-twice', {}, async (_input, ctx) => {
      const { milk } = await ctx.elicit('With milk?', preference)
      const { content } = await ctx.sample(asking(milk ? 'milk' : 'none'))
      return JSON.stringify(content)
    })
    .tool('visit', {}, async (_input, ctx) => {
      await ctx.elicitUrl('Pay here', 'https://cafe.example/pay')
      return 'paid'
    })
    .tool('think', {}, async (_input, ctx) => JSON.stringify((await ctx.sample(asking('a cake?'))).content))
    .tool('where', {}, async (_input, ctx) => (await ctx.roots()).map(({ uri }) => uri).join())
}

function offerChanges(cafe: Server): void {
  cafe
    .tool('touch', {}, () => {
      cafe.resources.updated('cafe://menu')
      return 'touched'
    })
    .tool('grow', {}, () => {
      cafe.tool('grown', {}, () => 'new')
      return 'grown'
    })
}

function offerResources(cafe: Server): void {
  const sizes = (start: string) => ['small', 'large'].filter((size) => size.startsWith(start))
  cafe
    .resource('cafe://menu', { name: 'menu', mimeType: 'text/plain' }, () => 'espresso, cortado')
    .resource('cafe://logo', { name: 'logo', mimeType: 'image/png' }, () => new Uint8Array([1, 2, 3]))
    .template('cafe://cups/{size}', { name: 'cups', complete: { size: sizes } }, ({ size }) => `a ${size} cup`)
}

function offerPrompts(cafe: Server): void {
  const moods = (start: string) => ['happy', 'hungry', 'sad'].filter((mood) => mood.startsWith(start))
  cafe
    .prompt('greet', {}, () => 'Good morning')
    .prompt('thank', {}, () => 'Thank you')
    .prompt(
      'recommend',
      { arguments: z.object({ mood: z.string() }), complete: { mood: moods } },
      ({ mood }) => `What suits somebody who is ${mood}?`,
    )
}
