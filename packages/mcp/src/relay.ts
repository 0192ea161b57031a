/** Passing requests on: for gateways, proxies and whoever serves what somebody else offers. */
export type { ClientQuestion, Rounds } from './dialects/dialect.ts'
export { InputRequired } from './dialects/dialect.ts'
export { forwardedMeta } from './model/forwarded-meta.ts'
export { type HeaderParam, headerParams } from './model/header-params.ts'
export { parseTemplate, type TemplateOptions, type UriTemplate } from './model/uri-template/uri-template.ts'
export type { Servable } from './server/connections.ts'
export { type Relay, type RelayOptions, type RelayRequest, relay } from './server/relay.ts'
