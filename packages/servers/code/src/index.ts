export { type CodeLimits, codeLimits } from './code-limits.ts'
export { type CodeServer, type CodeServerOptions, codeServer } from './code-server.ts'
export type { Language } from './languages.ts'
export type { Grammars } from './syntax.ts'
