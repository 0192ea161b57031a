import { connect } from '@trunkline/mcp'
import { signIn } from '@trunkline/mcp/auth'
import type { diary } from './diary.ts'

// opens the browser, and keeps what it is given in files that only you can read
await using client = await connect<typeof diary>(new URL('http://127.0.0.1:3000/mcp'), { auth: signIn() })

// the first call that takes more than was asked for before opens the browser once more
await client.tools.call('write', { text: 'It rained' })
const { structuredContent } = await client.tools.call('read', {})
console.log(structuredContent?.entries)
