import { appendFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
// region tool
import { server } from '@trunkline/mcp'
import type { SqliteStores } from '@trunkline/mcp/sqlite'
import { tasks } from '@trunkline/mcp/tasks'
import { z } from 'zod'

/** A studio that renders films; `stores` keeps its tasks on disk, effects are written to the file `diary`. */
export function studio(stores: SqliteStores, diary: string) {
  return server({ name: 'studio', version: '1.0.0', keys, extensions: [tasks({ store: stores.tasks })] }).tool(
    'render',
    {
      input: z.object({ title: z.string(), frames: z.number().int() }),
      task: 'required',
      resumable: true,
      pollMs: 200,
    },
    async ({ title, frames }, ctx) => {
      // never twice: when the outcome is unknown, the task fails and says so
      const receipt = await ctx.once('charge', () => charge(title, diary))
      for (let frame = 1; frame <= frames; frame++) {
        ctx.status(`frame ${frame} of ${frames}`)
        // a frame that is drawn a second time does no harm
        await ctx.once(`frame ${frame}`, () => draw(frame, diary), { repeatable: true })
      }
      return `"${title}" has ${frames} frames, ${receipt}`
    },
  )
}
// endregion

/** Secret that seals state carried back by clients; it has to be the same after a restart. */
const keys = ['a secret of this example, from your configuration']

async function charge(title: string, diary: string): Promise<string> {
  await appendFile(diary, `charged for "${title}"\n`)
  return 'paid once'
}

async function draw(frame: number, diary: string): Promise<void> {
  await sleep(150)
  await appendFile(diary, `drew frame ${frame}\n`)
}
