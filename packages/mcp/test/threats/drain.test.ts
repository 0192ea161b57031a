/** The end of a server: what was begun is finished, who listens is told, and who insists does not wait. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '@trunkline/mcp'
import { revisions } from '@trunkline/mcp/testing'
import { isLong } from '../../../../tools/lib/long-form.ts'
import { type Started, start } from './children/child.ts'
import { faceAt, openSession, saidIn } from './faces.ts'
import { bandwidth, FaultProxy } from './fault-proxy.ts'
import { listen, sessionCall, toolCall } from './messages.ts'
import { RawConnection, rawLetter } from './raw-socket.ts'
import { read, readSession } from './streams.ts'

const calls = isLong ? 500 : 100
/** Of these, so many within one session. */
const sessionCalls = calls / 10
const listens = calls

async function started(child: Started, count: number): Promise<void> {
  for (let at = 0; at < count; at++) await faceAt(child.url).send(toolCall('started'))
}

test('serve: on SIGTERM every call under way is answered, every listener is told, and it ends in order', async () => {
  await using child = await start('drain-server.ts')
  const face = faceAt(child.url)
  const session = await openSession(face)
  const answers = Array.from({ length: calls }, (_, nonce) => {
    const args = { nonce }
    return face.send(nonce < sessionCalls ? sessionCall(session, 'slow', args, nonce) : toolCall('slow', args, 1))
  })
  await started(child, calls)
  const listeners = await Promise.all(Array.from({ length: listens }, (_, id) => read(child.url, listen(id))))
  for (const { events } of listeners) assert.match((await events.take()).message.method, /acknowledged$/)
  const stream = await readSession(child.url, session)
  child.process.kill('SIGTERM')
  for (const [id, { events, whenOver }] of listeners.entries()) {
    const { message } = await events.take()
    assert.equal(message.id, id)
    assert.equal(message.result._meta['io.modelcontextprotocol/subscriptionId'], id)
    assert.equal(await whenOver, true)
  }
  for (const [nonce, answer] of (await Promise.all(answers)).entries()) {
    assert.equal(saidIn(answer), `answered ${nonce}`)
  }
  assert.equal(await stream.whenOver, true)
  assert.deepEqual(await child.whenOver, { code: 0, signal: null })
  const notice = `Waiting up to 3 s for ${calls} times tools/call "slow"; a second signal ends at once`
  assert.deepEqual(child.complaints, [notice])
})

test('serve: on SIGTERM clients of every revision and transport get the answers they wait for', async () => {
  await using child = await start('drain-server.ts')
  const targets = [
    ...revisions.map((revision) => ({ url: child.url, revision })),
    { url: child.url.replace('http', 'ws'), revision: '2026-07-28' },
  ]
  const clients = await Promise.all(
    targets.map(({ url, revision }) => connect(new URL(url), { revisions: [revision] })),
  )
  const answers = clients.map((client, nonce) => client.tools.call('slow', { nonce }))
  await started(child, clients.length)
  child.process.kill('SIGTERM')
  for (const [nonce, { content }] of (await Promise.all(answers)).entries()) {
    assert.deepEqual(content, [{ type: 'text', text: `answered ${nonce}` }], JSON.stringify(targets[nonce]))
  }
  await Promise.all(clients.map((client) => client.close()))
  assert.deepEqual(await child.whenOver, { code: 0, signal: null })
})

test('serve: while it ends, no new request is served', async () => {
  await using child = await start('drain-server.ts', { args: ['60000', 'SIGUSR2'] })
  const call = rawLetter(toolCall('slow', {}, 1))
  const [busy, other] = await Promise.all([RawConnection.to(child.port), RawConnection.to(child.port)])
  busy.write(call)
  await started(child, 1)
  // a request that has begun to arrive keeps its connection open
  other.write(call.slice(0, 40))
  await faceAt(child.url).send(toolCall('none'))
  child.process.kill('SIGTERM')
  while (
    await faceAt(child.url)
      .send(toolCall('none'))
      .then(
        () => true,
        () => false,
      )
  );
  other.write(call.slice(40))
  const refused = await other.answer()
  assert.deepEqual([refused?.status, refused?.headers.get('retry-after')], [503, '1'])
  child.process.kill('SIGUSR2')
  assert.equal((await busy.answer())?.status, 200)
  assert.deepEqual(await child.whenOver, { code: 0, signal: null })
})

test('serve: a large answer to a slow reader is not cut off by the end', async () => {
  await using child = await start('drain-server.ts', { args: ['60000'] })
  await using proxy = await FaultProxy.to(child.port)
  proxy.faults = () => ({ down: [bandwidth(20_000)] })
  const answer = faceAt(`http://127.0.0.1:${proxy.port}`).send(toolCall('large'))
  await started(child, 1)
  child.process.kill('SIGTERM')
  assert.equal(saidIn(await answer).length, 8_000_000)
  assert.deepEqual(await child.whenOver, { code: 0, signal: null })
})

test('serve: a request that takes longer than the drain time is called off', async () => {
  await using child = await start('drain-server.ts')
  const hanging = faceAt(child.url)
    .send(toolCall('hang'))
    .then(
      () => 'answered',
      () => 'cut off',
    )
  await started(child, 1)
  child.process.kill('SIGTERM')
  assert.deepEqual(await child.whenOver, { code: 0, signal: null })
  assert.equal(await hanging, 'cut off')
  const notice = 'Waiting up to 3 s for tools/call "hang"; a second signal ends at once'
  assert.deepEqual(child.complaints, [notice, 'aborted'])
})

test('serve: the second signal does not wait', async () => {
  for (const [first, second, code] of [
    ['SIGTERM', 'SIGTERM', 143],
    ['SIGINT', 'SIGTERM', 143],
    ['SIGTERM', 'SIGINT', 130],
  ] as const) {
    await using child = await start('drain-server.ts')
    const hanging = faceAt(child.url)
      .send(toolCall('hang'))
      .catch(() => {})
    await started(child, 1)
    child.process.kill(first)
    // once it has stopped listening, the first signal has arrived
    while (
      await faceAt(child.url)
        .send(toolCall('none'))
        .then(
          () => true,
          () => false,
        )
    );
    child.process.kill(second)
    assert.deepEqual(await child.whenOver, { code, signal: null })
    assert.deepEqual(child.complaints, ['Waiting up to 3 s for tools/call "hang"; a second signal ends at once'])
    await hanging
  }
})
