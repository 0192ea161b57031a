/**
 * The server of the matrix: `matrix-upstream.ts handshake|stateless stdio|http`. Its resources are called after it, so that
 * four of them can stand behind one gateway. Over HTTP it prints its address.
 */
import { type Fields, type Server, type ServerTypes, server } from '@trunkline/mcp'
import { serveHttp } from '@trunkline/mcp/node'
import { serveStdio } from '@trunkline/mcp/stdio'
import { z } from 'zod'
import { type Deferred, deferred } from '../../src/relay/deferred.ts'
import { release, withdrawable } from './withdrawable.ts'

const [shape, transport] = process.argv.slice(2)
const name = `${shape}-${transport}`
const revision = shape === 'handshake' ? '2025-11-25' : '2026-07-28'
const text = z.object({ text: z.string() })
const who = z.object({ who: z.string() })
const form = z.object({ name: z.string() })

const cancelled: string[] = []
const rooms = new Map<string, Room>()

/** Meeting place of callers that wait for each other; a call that is run again has met already. */
interface Room {
  readonly guests: Set<string>
  readonly full: Deferred<void>
}

async function meet(room: string, who: string): Promise<void> {
  const { guests, full } = rooms.get(room) ?? { guests: new Set<string>(), full: deferred<void>() }
  rooms.set(room, { guests, full })
  guests.add(who)
  if (guests.size === 2) full.resolve()
  await full.promise
}

const definition: Server<ServerTypes> = server({
  name,
  version: '1.0.0',
  revisions: [revision],
  keys: ['a secret of the matrix, long enough to seal'],
  onWarning() {},
})
  .tool('echo', { input: text }, ({ text }) => text)
  .tool('form', {}, async (_input, ctx) => (await ctx.elicit('Who are you?', form)).name)
  .tool('unlock', {}, async (_input, ctx) => {
    const { password } = await ctx.elicit('Which one?', z.object({ password: z.string() }))
    return password
  })
  .tool('visit', {}, async (_input, ctx) => {
    await ctx.elicitUrl('Sign in there', 'https://example.com/sign-in?for=matrix')
    return 'visited'
  })
  .tool('sample', {}, async (_input, ctx) => {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Say something' } }]
    const { content, model } = await ctx.sample({ messages, maxTokens: 7, temperature: 0.5, systemPrompt: 'Be brief' })
    return JSON.stringify({ content, model })
  })
  .tool('roots', {}, async (_input, ctx) => JSON.stringify(await ctx.roots()))
  .tool('progress', {}, async (_input, ctx) => {
    await ctx.progress(1, 2, 'half')
    await ctx.progress(2, 2, 'all')
    return 'done'
  })
  .tool('log', {}, async (_input, ctx) => {
    await ctx.log('debug', 'too fine')
    await ctx.log('warning', { about: 'this' }, 'matrix')
    return 'logged'
  })
  .tool('hang', { input: who }, async ({ who }, ctx) => {
    await ctx.progress(1)
    return new Promise<string>((resolve) => {
      ctx.signal.addEventListener('abort', () => {
        cancelled.push(who)
        resolve('stopped')
      })
    })
  })
  .tool('cancelled', {}, () => JSON.stringify(cancelled))
  .tool('typed', { output: z.object({ sum: z.number() }) }, () => ({ sum: 3 }))
  .tool('meet', { input: who.extend({ room: z.string() }) }, async ({ who, room }, ctx) => {
    await meet(room, who)
    await ctx.progress(1, 1, who)
    await ctx.log('warning', `met ${who} in ${room}`)
    // no caller goes on before both have logged
    await meet(`${room}, logged`, who)
    return `${who} is ${(await ctx.elicit(`Who is ${who}?`, form)).name}`
  })
  .tool('touch', { input: z.object({ uri: z.string() }) }, ({ uri }) => definition.resources.updated(uri))
  .tool('toggle', {}, () => {
    const { prompts } = definition
    if (prompts.has('extra')) prompts.disable('extra')
    else prompts.enable('extra')
  })
  .tool('withdraw', {}, () => 'nothing was asked')
  .tool('release', {}, () => release())
  .prompt('extra', {}, () => 'extra')
  .prompt(
    'review',
    {
      arguments: [{ name: 'title', required: true }, { name: 'genre' }],
      complete: { title: (start, { genre = 'any' }) => [`${start}, a ${genre}`] },
    },
    ({ title }) => `Review ${title}`,
  )
  .resource(`${name}:shelf`, {}, () => 'a shelf')
  .template(
    `${name}:shelf/{title}`,
    { name: 'books', complete: { title: (start) => [`${start}-1`, `${start}-2`] } },
    ({ title }) => `The book ${title}`,
  )

/** Fields that no revision knows, in results and definitions, and those of them that arrived. */
definition.use((next) => async (request) => {
  const { method, params } = request
  if (method === 'tools/call' && params.name === 'typed') {
    const { _meta, ...rest } = params
    const result = (await next(request)) as Fields
    const back = { 'example.com/back': 1, 'dev.trunkline/hop': 2, seen: _meta }
    return { ...result, vendor: { rest }, _meta: back }
  }
  const result = await next(request)
  if (method !== 'tools/list') return result
  const { tools } = result as unknown as { readonly tools: readonly Fields[] }
  return { ...(result as Fields), tools: tools.map((tool) => ({ ...tool, vendor: { kept: true } })) }
})
if (shape === 'handshake') definition.use(withdrawable)

if (transport === 'stdio') await serveStdio((channel) => definition.serve(channel))
else {
  const limits = { maxMessageBytes: 16 * 1024 ** 2 }
  const { url } = await serveHttp(definition, { port: 0, limits })
  console.log(url)
  // it ends with the test that started it
  process.stdin.resume().once('end', () => process.exit())
}
