/** The server of a new project and its tests. */
export function codeFiles(name: string): { readonly [path: string]: string } {
  const server = name.replace(/^@[^/]+\//, '')
  return {
    'src/server.ts': `import { server } from '@trunkline/mcp'
import { z } from 'zod'

const greetings = { en: 'Hello', de: 'Hallo', fr: 'Bonjour' }

/** The server and its offers, apart from the transport it is served on. */
export const app = server({ name: '${server}', version: '0.1.0' })
  .tool(
    'greet',
    {
      description: 'Greets somebody by name',
      input: z.object({
        name: z.string().min(1).describe('Whom to greet'),
        language: z.enum(['en', 'de', 'fr']).default('en'),
      }),
      output: z.object({ greeting: z.string() }),
      annotations: { readOnlyHint: true },
    },
    ({ name, language }) => ({ greeting: \`\${greetings[language]}, \${name}!\` }),
  )
  .resource('${server}://languages', { name: 'languages', mimeType: 'application/json' }, () =>
    JSON.stringify(Object.keys(greetings)),
  )
  .prompt(
    'welcome',
    { description: 'Welcomes somebody', arguments: z.object({ name: z.string() }) },
    ({ name }) => \`Write a short welcome for \${name}.\`,
  )
`,
    'src/main.ts': `#!/usr/bin/env node
import { serveFromCommandLine } from '@trunkline/mcp'
import { app } from './server.ts'

// over stdin and stdout, or over HTTP with --http PORT
await serveFromCommandLine(app)
`,
    'test/server.test.ts': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyRevision } from '@trunkline/mcp/testing'
import { app } from '../src/server.ts'

test('greet: in the language that is asked for, in every revision of the protocol', async () => {
  await everyRevision(app, async ({ client }) => {
    const { content } = await client.tools.call('greet', { name: 'Ada', language: 'de' })
    assert.deepEqual(content, [{ type: 'text', text: '{"greeting":"Hallo, Ada!"}' }])
  })
})

test('greet: refuses a call without a name', async () => {
  await everyRevision(app, async ({ client }) => {
    const outcome = await client.tools.call('greet', { name: '' }).catch((error: Error) => ({ isError: true, error }))
    assert.equal(outcome.isError, true)
  })
})

test('languages and welcome: can be read and used', async () => {
  await everyRevision(app, async ({ client }) => {
    const { contents } = await client.resources.read('${server}://languages')
    assert.match(JSON.stringify(contents), /en.*de.*fr/)
    const { messages } = await client.prompts.get('welcome', { name: 'Ada' })
    assert.match(JSON.stringify(messages), /Ada/)
  })
})
`,
  }
}
