import { embed, image, reply, server, text } from '@trunkline/mcp'
import { z } from 'zod'
import { samples } from './samples.ts'

/** A server that gives back what it gets, and bytes that are easily mangled. */
export function samplesServer() {
  const own = server({ name: 'samples', version: '1.0.0' })
    .tool('echo', { input: z.object({ text: z.string() }), output: z.object({ text: z.string() }) }, (input) =>
      reply([text(input.text), embed('sample:///echo', input.text)], { structured: input }),
    )
    .tool('picture', { input: z.object({ data: z.string() }) }, ({ data }) =>
      image(new Uint8Array(Buffer.from(data, 'base64')), 'image/png'),
    )
  for (const [name, bytes] of Object.entries(samples))
    own.resource(`sample:///${encodeURIComponent(name)}`, {}, () => bytes)
  return own
}
