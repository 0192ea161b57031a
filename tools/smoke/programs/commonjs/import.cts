import type { Server } from '@trunkline/mcp' with { 'resolution-mode': 'import' }

/** Every TypeScript lets CommonJS load the package as it lets it load any module. */
export async function main(): Promise<Server> {
  const { serve, server } = await import('@trunkline/mcp')
  const { toNode } = await import('@trunkline/mcp/node')
  const app = server({ name: 'commonjs', version: '1.0.0' })
  toNode(app)
  await serve(app)
  return app
}
