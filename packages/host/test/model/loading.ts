/** A host in a process of its own that says which packages of the AI SDK were loaded when. */
import { registerHooks } from 'node:module'
import { person } from '../run/person.ts'

const loaded = new Set<string>()
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'ai' || specifier.startsWith('@ai-sdk/')) loaded.add(specifier)
    return next(specifier, context)
  },
})

using ann = person()
const models = { best: { provider: 'compatible', url: process.argv[2], key: `\${KEY}` } }
ann.configure(process.argv[3] === 'with a model' ? { models } : {})
const machine = { ...ann.machine, environment: { ...ann.machine.environment, KEY: process.argv[4] } }
await using running = await ann.run({ machine })
const atStart = loaded.size
const said = await ask().catch((error) => error.message)
console.log(JSON.stringify({ atStart, loaded: [...loaded].sort(), said }))

async function ask(): Promise<unknown> {
  const { models: all } = running.host
  const request = { messages: [{ role: 'user' as const, content: 'Hi' }], maxTokens: 9 }
  return (await all.ask(all.named(), request, { spender: 'chat' })).content
}
