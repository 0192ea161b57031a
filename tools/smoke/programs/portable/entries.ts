import * as all from '@trunkline/mcp'
import * as apps from '@trunkline/mcp/apps'
import * as auth from '@trunkline/mcp/auth'
import * as development from '@trunkline/mcp/auth/dev-server'
import * as resource from '@trunkline/mcp/auth/resource'
import * as client from '@trunkline/mcp/client'
import * as http from '@trunkline/mcp/http'
import * as relay from '@trunkline/mcp/relay'
import * as server from '@trunkline/mcp/server'
import * as skills from '@trunkline/mcp/skills'
import * as sqlite from '@trunkline/mcp/sqlite'
import * as tasks from '@trunkline/mcp/tasks'
import * as testing from '@trunkline/mcp/testing'

/** The declarations of every entry that does not belong to Node hold without those of Node. */
export const entries = {
  all,
  apps,
  auth,
  development,
  resource,
  client,
  http,
  relay,
  server,
  skills,
  sqlite,
  tasks,
  testing,
}

export const handler = http.toFetch(all.server({ name: 'worker', version: '1.0.0' }), { limits: { maxSessions: 10 } })
