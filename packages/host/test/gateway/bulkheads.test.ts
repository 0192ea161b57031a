import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseRule } from '../../src/policy/parse-rule.ts'
import type { ServerSpec } from '../../src/servers/server-spec.ts'
import { programSpec, runningHost, textOf } from './running-host.ts'

const healthy = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
const unruly = ['hang', 'flood', 'crash'] as const
const callsEach = 60

it('of ten servers one hangs, one floods and one crashes in a loop: the other seven answer every call', async () => {
  const servers = [...healthy.map((name) => programSpec(name)), ...unruly.map(unrulySpec)]
  const rule = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })
  await using running = await runningHost({ servers, rules: [rule] })
  await using victim = await running.dial('', { name: 'victim' })
  await using other = await running.dial('', { name: 'other' })
  const stop = new AbortController()
  const misbehaving = unruly.map((worst) => misbehave(other, worst, stop.signal))
  const tools = (await victim.tools.list().all()).map(({ name }) => name)
  for (const name of [...healthy, ...unruly])
    assert.ok(
      tools.some((tool) => tool.startsWith(`${name}__`)),
      name,
    )
  const answers = await Promise.all(
    healthy.map(async (name) => {
      const heard: string[] = []
      for (let count = 0; count < callsEach; count += 1)
        heard.push(textOf(await victim.tools.call(`${name}__echo`, { text: `${name} ${count}` })))
      return heard
    }),
  )
  for (const [index, name] of healthy.entries()) {
    const expected = Array.from({ length: callsEach }, (_, count) => `${name} ${count}`)
    assert.deepEqual(answers[index], expected)
    assert.equal(running.host.servers.get(name)?.status.starts, 1)
    assert.equal(running.host.servers.get(name)?.status.state, 'ready')
  }
  stop.abort(new Error('the test is over'))
  const [hung, flooded, crashed] = await Promise.all(misbehaving)
  assert.deepEqual([hung, flooded], [0, 0], 'nothing came of these')
  // after it crashed often enough it is left alone for a while, and says so
  assert.ok((crashed ?? 0) > (running.host.servers.get('crash')?.status.starts ?? 0))
})

function unrulySpec(worst: string): ServerSpec {
  const spec = programSpec(worst, 'unruly')
  if (spec.launch.kind !== 'program') throw new Error('It is a program')
  return { ...spec, launch: { ...spec.launch, args: [...spec.launch.args, worst] } }
}

type Caller = Awaited<ReturnType<Awaited<ReturnType<typeof runningHost>>['dial']>>

/** Calls it again and again until told to stop; gives how often an answer came. */
async function misbehave(mcp: Caller, worst: string, signal: AbortSignal): Promise<number> {
  let answers = 0
  // it waits as long as the test takes, on a slow machine too
  const patient = { signal, timeoutMs: Number.POSITIVE_INFINITY, maxTotalMs: Number.POSITIVE_INFINITY }
  while (!signal.aborted) {
    try {
      const { isError } = await mcp.tools.call(`${worst}__misbehave`, {}, patient)
      assert.equal(isError, true)
      answers += 1
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
  return answers
}
