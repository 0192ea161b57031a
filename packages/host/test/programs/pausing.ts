/** A server that stops at a given place, while the file PAUSE is there; its steps are noted in the file NOTES. */
import { appendFileSync, existsSync } from 'node:fs'
import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'

const { NOTES = '', PAUSE = '' } = process.env
const note = (line: string): void => appendFileSync(NOTES, `${line}\n`)
const input = z.object({ text: z.string(), pauseAt: z.enum(['arrived', 'done', 'nowhere']) })

await serve(
  server({ name: 'pausing', version: '1.0.0' }).tool('add', { input }, async ({ text, pauseAt }) => {
    const reached = async (place: string): Promise<void> => {
      note(`${place} ${text}`)
      if (place === pauseAt && existsSync(PAUSE)) await new Promise(() => {})
    }
    await reached('arrived')
    await reached('done')
    return `added ${text}`
  }),
)
