/** A server whose tools run as tasks, for tests. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { TaskOptions } from '../../src/extensions/tasks/tasks.ts'
import { tasks } from '../../src/extensions/tasks/tasks.ts'
import { server } from '../../src/server/server.ts'
import { InternalError, RpcError } from '../../src/wire/errors.ts'
import { quiet } from '../fixtures/quiet.ts'

const name = z.object({ name: z.string() })

/** A studio that renders, asks, fails and hangs. */
export function studio(options: TaskOptions = {}) {
  return server({ ...quiet, name: 'studio', extensions: [tasks({ pollMs: 50, ...options })] })
    .tool('render', { input: z.object({ frames: z.number().int() }), task: 'optional' }, async ({ frames }, ctx) => {
      for (let frame = 1; frame <= frames; frame++) {
        ctx.status(`frame ${frame}`)
        await ctx.progress(frame, frames)
        await sleep(20, undefined, { signal: ctx.signal })
      }
      return { frames }
    })
    .tool('only', { task: 'required' }, () => 'done')
    .tool('plain', {}, () => 'done')
    .tool('fail', { task: 'optional' }, () => {
      throw new Error('no paint left')
    })
    .tool('break', { task: 'optional' }, () => {
      throw new RpcError(InternalError, 'the wall came down', { wall: 1 })
    })
    .tool('ask', { task: 'optional' }, async (_, ctx) => {
      const first = await ctx.elicit('Who are you?', name)
      const second = await ctx.elicit('Who else?', name)
      return `${first.name} and ${second.name}`
    })
    .tool('hang', { task: 'optional' }, async (_, ctx) => {
      await sleep(2 ** 30, undefined, { signal: ctx.signal })
    })
}

/** Answers every form with the same name. */
export const ann = () => ({ action: 'accept', content: { name: 'Ann' } }) as const
