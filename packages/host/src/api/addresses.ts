/** Addresses of the routes of the local API, for the command and for pages; this loads nothing else. */
import type { RouteInput, RouteName } from './routes.ts'

/** Method and path of each route, for the client. */
type Addresses = { readonly [Name in RouteName]: string }

/** Method and address of every route; a test holds them against the table that the server is typed by. */
export const addresses: Addresses = {
  status: 'GET /api/status',
  servers: 'GET /api/servers',
  server: 'GET /api/servers/{server}',
  addServer: 'POST /api/servers',
  removeServer: 'DELETE /api/servers/{server}',
  readServers: 'POST /api/config/read',
  log: 'GET /api/servers/{server}/log',
  acceptServer: 'POST /api/servers/{server}/accept',
  makeAcceptCode: 'POST /api/servers/{server}/accept-code',
  acceptCodes: 'GET /api/accept-codes',
  restart: 'POST /api/servers/{server}/restart',
  stop: 'POST /api/servers/{server}/stop',
  login: 'POST /api/servers/{server}/login',
  logout: 'DELETE /api/servers/{server}/login',
  trust: 'POST /api/servers/{server}/trust',
  catalogue: 'GET /api/catalogue',
  changeEntry: 'PATCH /api/catalogue/{server}/{tool}',
  diff: 'GET /api/diff',
  lock: 'POST /api/lock',
  verifyLock: 'GET /api/lock/verify',
  outdated: 'GET /api/outdated',
  planUpdate: 'POST /api/servers/{server}/update/plan',
  update: 'POST /api/servers/{server}/update',
  callTool: 'POST /api/servers/{server}/tools/{tool}/call',
  startTask: 'POST /api/servers/{server}/tools/{tool}/start',
  writtenCall: 'POST /api/servers/{server}/tools/{tool}/request',
  task: 'GET /api/servers/{server}/tasks/{task}',
  cancelTask: 'POST /api/servers/{server}/tasks/{task}/cancel',
  watchResource: 'POST /api/servers/{server}/resources/watch',
  getPrompt: 'POST /api/servers/{server}/prompts/{prompt}/get',
  readResource: 'POST /api/servers/{server}/resources/read',
  resources: 'GET /api/servers/{server}/resources',
  complete: 'POST /api/servers/{server}/complete',
  inbox: 'GET /api/inbox',
  questionContext: 'GET /api/inbox/{id}/context',
  answer: 'POST /api/inbox/{id}',
  grants: 'GET /api/grants',
  revokeGrant: 'DELETE /api/grants/{id}',
  ledger: 'GET /api/ledger',
  verify: 'GET /api/ledger/verify',
  ledgerTip: 'GET /api/ledger/tip',
  exportLedger: 'GET /api/ledger/export',
  act: 'GET /api/acts/{act}',
  forget: 'POST /api/forget',
  processes: 'GET /api/servers/{server}/processes',
  planImport: 'GET /api/import',
  importServers: 'POST /api/import',
  wire: 'GET /api/acts/{act}/wire',
  timeline: 'GET /api/timeline',
  recording: 'GET /api/servers/{server}/recording',
  policy: 'GET /api/policy',
  explainPolicy: 'POST /api/policy/explain',
  testPolicy: 'POST /api/policy/test',
  taint: 'GET /api/taint',
  forgetTaint: 'POST /api/taint/forget',
  dryRunPolicy: 'POST /api/policy/dry-run',
  suggestRules: 'GET /api/policy/suggestions',
  addRule: 'POST /api/policy/rules',
  replaceRule: 'POST /api/policy/rules/replace',
  lastRule: 'GET /api/policy/undo',
  undoRule: 'POST /api/policy/undo',
  policyFile: 'GET /api/policy/file',
  savePolicyFile: 'POST /api/policy/file',
  proof: 'GET /api/proof',
  enterPin: 'POST /api/proof/enter',
  setPin: 'POST /api/proof/pin',
  removePin: 'DELETE /api/proof/pin',
  registerPasskey: 'POST /api/proof/passkeys/new',
  addPasskey: 'POST /api/proof/passkeys',
  removePasskey: 'DELETE /api/proof/passkeys/{passkey}',
  chooseProof: 'POST /api/proof/scopes',
  resetProof: 'POST /api/proof/reset',
  keepProof: 'DELETE /api/proof/reset',
  models: 'GET /api/models',
  chats: 'GET /api/chats',
  startChat: 'POST /api/chats',
  chat: 'GET /api/chats/{id}',
  changeChat: 'PATCH /api/chats/{id}',
  sendChat: 'POST /api/chats/{id}/messages',
  stopChat: 'POST /api/chats/{id}/stop',
  deleteChat: 'DELETE /api/chats/{id}',
  completeChat: 'POST /api/chat-completions',
  explainConfig: 'GET /api/config/explain',
  acceptFile: 'POST /api/config/accept',
  mayDecide: 'GET /api/may-decide',
  clients: 'GET /api/clients',
  addClient: 'POST /api/clients',
  revoke: 'DELETE /api/clients/{name}',
  knownClients: 'GET /api/known-clients',
  planConnect: 'GET /api/known-clients/{client}',
  connect: 'POST /api/known-clients/{client}',
  code: 'POST /api/codes',
  openConsole: 'POST /api/console/open',
  session: 'POST /api/session',
  down: 'POST /api/down',
}

/** HTTP request for a route. */
export interface ApiRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly body: object | undefined
}

/** The request for a route: parameters of its path go there, the rest into the query or the body. */
export function requestOf<Name extends RouteName>(name: Name, input?: RouteInput<Name>): ApiRequest {
  const [method = 'GET', path = ''] = addresses[name].split(' ')
  const { address, rest } = filled(path, (input ?? {}) as Record<string, unknown>)
  if (method === 'GET') return { method, path: address + queryOf(rest), body: undefined }
  return { method, path: address, body: rest }
}

function filled(path: string, input: Record<string, unknown>): { address: string; rest: Record<string, unknown> } {
  const rest = { ...input }
  const address = path.replace(/\{(.+?)\}/g, (_, name: string) => {
    const { [name]: value } = rest
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  return { address, rest }
}

function queryOf(rest: Record<string, unknown>): string {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
