/** A view made with the official library: it does everything that it can ask a host for, and says what came of it. */
import { App } from '@modelcontextprotocol/ext-apps'

const app = new App({ name: 'official', version: '1.0.0' }, { availableDisplayModes: ['inline', 'fullscreen'] })
const outcome = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await work()
  } catch (error) {
    return `refused: ${(error as Error).message}`
  }
}

const told = new Promise<object>((resolve) => {
  let input: unknown
  app.ontoolinput = (params) => {
    input = params.arguments
  }
  app.ontoolresult = (result) => resolve({ input, result: result.content })
})
app.onteardown = async () => {
  await app.sendLog({ level: 'info', data: 'goodbye' })
  return {}
}

await app.connect()
const report = {
  host: app.getHostVersion(),
  capabilities: Object.keys(app.getHostCapabilities() ?? {}).sort(),
  theme: app.getHostContext()?.theme,
  told: await told,
  refresh: await outcome(
    async () => (await app.callServerTool({ name: 'refresh', arguments: { city: 'Oslo' } })).content,
  ),
  refund: await outcome(() => app.callServerTool({ name: 'refund', arguments: {} })),
  stock: await outcome(async () => (await app.readServerResource({ uri: 'shop://stock' })).contents),
  message: await outcome(() => app.sendMessage({ role: 'user', content: [{ type: 'text', text: 'Buy two' }] })),
  link: await outcome(() => app.openLink({ url: 'https://example.com/' })),
  script: await outcome(() => app.openLink({ url: 'javascript:alert(1)' })),
  mode: await outcome(() => app.requestDisplayMode({ mode: 'fullscreen' })),
}
await app.updateModelContext({ structuredContent: report as never })
