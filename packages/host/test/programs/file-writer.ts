/** A server that writes to a given path, and reports the outcome in several ways. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'

const input = z.object({ path: z.string() })

const fileWriter = server({ name: 'file-writer', version: '1.0.0' })
  .tool('write', { input }, ({ path }) => {
    mkdirSync(path)
    writeFileSync(`${path}/written`, 'here')
    return 'written'
  })
  .tool('write_quietly', { input }, ({ path }) => {
    try {
      writeFileSync(`${path}/written`, 'here')
      return 'written'
    } catch (error) {
      console.error(String(error))
      return 'nothing was written'
    }
  })
  .tool('dial', { input: z.object({ port: z.number() }) }, ({ port }) => {
    const socket = createConnection(port, '127.0.0.1')
    return new Promise<string>((resolve, reject) => {
      socket.once('connect', () => resolve('connected')).once('error', reject)
    }).finally(() => socket.destroy())
  })

await serve(fileWriter)
