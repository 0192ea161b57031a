import { serve } from '@trunkline/mcp'
import { devServer } from '@trunkline/mcp/auth/dev-server'
import { diary } from './diary.ts'

// for development: it admits every client, as Ann; in production "issuer" is the address of your own server
await using authorization = await devServer({ subject: 'Ann' })

await using http = await serve(diary, {
  http: 3000,
  auth: { issuer: authorization.issuer, scopes: ['diary:read'] },
})
console.log(`Serving MCP at ${http.url}`)
await http.whenClosed
