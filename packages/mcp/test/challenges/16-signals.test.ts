import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, server } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { tasks } from '@trunkline/mcp/tasks'
import { soon } from '../soon.ts'
import { asPrincipal } from './as-principal.ts'
import { revisions } from './revisions.ts'

/** A promise and how to resolve it. */
function resolvers<Value>() {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const signals = { reload: 'Reads its files again', finish: 'Ends with what it has' }
const everyRevision = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

for (const revision of everyRevision) {
  test(`signals [${revision}]: cancelling reaches the handler, with a reason`, async () => {
    const heard = resolvers<unknown>()
    const started = resolvers<void>()
    const shop = server({ name: 'shop', version: '1.0.0' }).tool('wait', {}, async (_, { signal }) => {
      started.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      heard.resolve(signal.reason)
    })
    await using mcp = await connect(shop, { revisions: [revision] })
    const stop = new AbortController()
    const call = mcp.tools.call('wait', {}, { signal: stop.signal })
    await soon(started.promise, 'the handler')
    stop.abort(new Error('enough'))
    await assert.rejects(call, /enough/)
    assert.ok((await soon(heard.promise, 'the signal of the handler')) instanceof Error)
  })

  test(`signals [${revision}]: a running call takes the signals that it declares`, async () => {
    let reloads = 0
    const watched = resolvers<void>()
    const shop = server({ name: 'shop', version: '1.0.0', extensions: [contract()] as const }).tool(
      'watch',
      { signals },
      async (_, ctx) => {
        const finished = new Promise<void>((resolve) => ctx.onSignal('finish', resolve))
        ctx.onSignal('reload', () => {
          reloads += 1
        })
        watched.resolve()
        await finished
        return `${reloads} reloads`
      },
    )
    await using mcp = await connect(shop, { extensions: [contract()], revisions: [revision] })
    const call = mcp.tools.call('watch', {}, { handle: 'w-1' })
    await soon(watched.promise, 'the handler')
    await mcp.tools.signal('w-1', 'reload')
    await mcp.tools.signal('w-1', 'reload')
    await assert.rejects(mcp.tools.signal('w-1', 'stop'), /Tool "watch" takes "reload", "finish", and no signal "stop"/)
    await assert.rejects(mcp.tools.signal('w-2', 'reload'), /No running call of this caller/)
    await mcp.tools.signal('w-1', 'finish')
    assert.deepEqual((await call).content, [{ type: 'text', text: '2 reloads' }])
    await assert.rejects(mcp.tools.signal('w-1', 'reload'), /No running call of this caller/)
  })
}

for (const revision of ['2026-07-28', '2025-11-25'] as const) {
  test(`signals [${revision}]: a task takes signals by its id, and one that comes early is heard later`, async () => {
    const listen = resolvers<void>()
    const shop = server({ name: 'shop', version: '1.0.0', extensions: [tasks(), contract()] as const }).tool(
      'watch',
      { task: 'optional', signals },
      async (_, ctx) => {
        await listen.promise
        await new Promise<void>((resolve) => ctx.onSignal('finish', resolve))
        ctx.exit(3)
        return 'finished'
      },
    )
    await using mcp = await connect(shop, { extensions: [tasks(), contract()], revisions: [revision] })
    const task = await mcp.tools.start('watch', {})
    await mcp.tools.signal(task, 'finish')
    await mcp.tools.signal(task.id ?? '', 'finish')
    listen.resolve()
    const result = await task.result()
    assert.deepEqual(result.content, [{ type: 'text', text: 'finished' }])
    assert.deepEqual(result._meta?.['dev.trunkline/contract'], { status: { code: 3, class: 'failed' } })
  })
}

for (const revision of revisions) {
  test(`signals [${revision}]: a handle that is in use is refused, and the running call goes on`, async () => {
    const shop = server({ name: 'shop', version: '1.0.0', extensions: [contract()] as const }).tool(
      'watch',
      { signals },
      async (_, ctx) => {
        await new Promise<void>((resolve) => ctx.onSignal('finish', resolve))
        return 'finished'
      },
    )
    await using mcp = await connect(shop, { extensions: [contract()], revisions: [revision] })
    const calls = [mcp.tools.call('watch', {}, { handle: 'one' }), mcp.tools.call('watch', {}, { handle: 'one' })]
    await assert.rejects(Promise.all(calls), /contract\.handle is the name of another running call/)
    await mcp.tools.signal('one', 'finish')
    const settled = await Promise.allSettled(calls)
    assert.deepEqual(settled.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })
}

test('signals: a call of another caller is as unknown as one that never was', async () => {
  const shop = server({ name: 'shop', version: '1.0.0', extensions: [contract()] as const }).tool(
    'watch',
    { signals },
    async (_, ctx) => {
      await new Promise<void>((resolve) => ctx.onSignal('finish', resolve))
      return 'finished'
    },
  )
  await using ann = await asPrincipal(shop, 'ann')
  await using bob = await asPrincipal(shop, 'bob')
  const call = ann.tools.call('watch', {}, { handle: 'one' })
  const known = bob.tools.signal('one', 'finish').catch((error: Error) => error.message)
  assert.equal(await known, 'Cannot send the signal: No running call of this caller that takes signals is called "one"')
  await ann.tools.signal('one', 'finish')
  assert.equal((await call).isError, undefined)
})

test('signals: mistakes of author and caller name the field and the fix', async () => {
  const errors: unknown[] = []
  const shop = server({
    name: 'shop',
    version: '1.0.0',
    extensions: [contract()] as const,
    onError: (error) => errors.push(error),
  })
    .tool('undeclared', {}, (_, ctx) => ctx.onSignal('reload', () => {}))
    .tool('misspelt', { signals }, (_, ctx) => ctx.onSignal('relaod', () => {}))
    .tool('failing', { signals }, async (_, ctx) => {
      const finished = new Promise<void>((resolve) => ctx.onSignal('finish', resolve))
      ctx.onSignal('reload', () => Promise.reject(new Error('no such file')))
      await finished
    })
  for (const bad of [
    'reload',
    {},
    { 're load': 'x' },
    { reload: 1 },
    Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`s${at}`, ''])),
  ])
    assert.throws(() => shop.tool('bad', { signals: bad as never }, () => ''), /"signals" must be an object such as/)
  await using mcp = await connect(shop, { extensions: [contract()] })
  const text = async (name: 'undeclared' | 'misspelt') => JSON.stringify((await mcp.tools.call(name, {})).content)
  assert.match(await text('undeclared'), /tool .*undeclared.* declares no/)
  assert.match(await text('misspelt'), /declares no such signal; did you mean .*reload/)
  const call = mcp.tools.call('failing', {}, { handle: 'f' })
  await mcp.tools.signal('f', 'reload')
  await mcp.tools.signal('f', 'finish')
  assert.equal((await call).isError, undefined)
  assert.match(String(errors.at(-1)), /no such file/)
  await assert.rejects(mcp.tools.signal({ id: undefined }, 'reload'), /call it with a "handle"/)
  await using plain = await connect(server({ name: 'plain', version: '1.0.0' }), { extensions: [contract()] })
  await assert.rejects(plain.tools.signal('f', 'reload'), { code: 'Unsupported', outcome: 'NotSent' })
})
