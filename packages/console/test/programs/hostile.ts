/** A server all of whose words are hostile: markup, script, escapes, spoofs, addresses elsewhere. */
import { serve, server } from '@trunkline/mcp'
import { z } from 'zod'
import { hostileMarks } from './hostile-words.ts'

const words = hostileMarks.join('\n')
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned=1"><script>window.pwned=1</script></svg>`

const hostile = server({ name: words.slice(0, 400), version: '1.0.0', instructions: words })
  .tool(
    'constructor',
    { title: words, description: words, input: z.object({ toString: z.string().optional().describe(words) }) },
    () => words,
  )
  .tool('write', { input: z.object({ text: z.string() }) }, ({ text }) => text)
  .tool('everything', { description: 'Answers with all of it' }, () => ({
    content: [
      { type: 'text' as const, text: words },
      { type: 'text' as const, text: JSON.stringify({ __proto__x: words, constructor: words }) },
      { type: 'image' as const, data: Buffer.from(drawing).toString('base64'), mimeType: 'image/svg+xml' },
      { type: 'resource_link' as const, uri: 'javascript:window.pwned=1', name: words },
      { type: 'resource' as const, resource: { uri: 'ui://app', mimeType: 'text/html', text: words } },
    ],
  }))
  .prompt('__proto__x', { description: words }, () => words)
  .resource('https://evil.test/%3Cscript%3E', { name: 'page', description: words }, () => words)

await serve(hostile)
