/** A server all of whose words are hostile: markup, script, escapes, spoofs, addresses elsewhere. */
import { RpcError, serve, server } from '@trunkline/mcp'
import { z } from 'zod'
import { hostileMarks } from './hostile-words.ts'

const words = hostileMarks.join('\n')
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned=1"><script>window.pwned=1</script></svg>`
const icons = [
  { src: 'https://evil.test/icon.png', mimeType: 'image/png' },
  { src: `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}`, mimeType: 'image/svg+xml' },
]
const said = { title: words, description: words, icons }
const read = { annotations: { readOnlyHint: true } }

const hostile = server({ name: words.slice(0, 400), version: '1.0.0', instructions: words, onWarning: () => {} })
  .tool('constructor', { ...said, input: z.object({ toString: z.string().optional().describe(words) }) }, () => words)
  .tool('write', { input: z.object({ text: z.string() }) }, ({ text }) => text)
  .tool('everything', { ...read, description: 'Answers with all of it' }, () => ({
    content: [
      { type: 'text' as const, text: words },
      { type: 'text' as const, text: JSON.stringify({ __proto__x: words, constructor: words }) },
      {
        type: 'text' as const,
        text: JSON.stringify([
          { constructor: words, a: 1 },
          { constructor: words, a: 2 },
        ]),
      },
      { type: 'text' as const, text: `--- a\n+++ b\n@@ -1 +1 @@\n-${hostileMarks[0]}\n+${hostileMarks[6]}` },
      { type: 'image' as const, data: Buffer.from(drawing).toString('base64'), mimeType: 'image/svg+xml' },
      { type: 'resource_link' as const, uri: 'javascript:window.pwned=1', name: words },
      { type: 'resource' as const, resource: { uri: 'ui://app', mimeType: 'text/html', text: words } },
      { type: 'resource' as const, resource: { uri: 'a:b', mimeType: 'text/html', blob: btoa(hostileMarks[0]) } },
    ],
  }))
  .tool('fail', read, () => {
    throw new RpcError(-32602, words, { constructor: words, list: hostileMarks })
  })
  .tool('ask', read, async (_input, ctx) => {
    const form = z.object({ name: z.string().optional().describe(words).meta({ title: words }) })
    return JSON.stringify(await ctx.elicit(words, form))
  })
  .prompt('__proto__x', { ...said, arguments: z.object({ style: z.string().optional().describe(words) }) }, () => words)
  .resource('https://evil.test/%3Cscript%3E', { ...said, name: words }, () => words)
  .template('hostile:{constructor}', { ...said, name: words }, () => words)

process.stderr.write(`${words}\n`)
await serve(hostile)
