/** The contract: what tools say and keep beside their results. */

export type {
  ContractCallOptions,
  ContractResult,
  Preview,
} from './extensions/contract/client/contract-call-options.ts'
export type { ContractClient, ContractTools } from './extensions/contract/client/contract-on-client.ts'
export { retryHintOf } from './extensions/contract/client/retry-hint.ts'
export type { SignalTarget } from './extensions/contract/client/signals.ts'
export type { SpilledResult } from './extensions/contract/client/spilled-result.ts'
export {
  type ContractExtension,
  type ContractOnClient,
  type ContractOnServer,
  contract,
} from './extensions/contract/contract.ts'
export type { ContractLimits } from './extensions/contract/contract-limits.ts'
export { definitionHash } from './extensions/contract/definition-hash.ts'
export { type Narrowing, schemaNarrowings } from './extensions/contract/schema-narrowings.ts'
export { type Plan, type PreviewHandler, plan } from './extensions/contract/server/preview.ts'
export type { Requirements } from './extensions/contract/server/requirements.ts'
export { type Retryable, retryable } from './extensions/contract/server/retryable.ts'
export type {
  ContractContext,
  ContractTool,
  ServerContractOptions,
} from './extensions/contract/server/server-contract-options.ts'
export type {
  SettingDefinition,
  SettingDefinitions,
  SettingValues,
} from './extensions/contract/server/setting-definition.ts'
export { type ServerSettings, type SettingsOptions, settings } from './extensions/contract/server/settings.ts'
export type { SignalListener } from './extensions/contract/server/signals.ts'
export type { SpillOptions } from './extensions/contract/server/spill.ts'
export {
  type KeptBytes,
  type LineMark,
  readKeptLines,
  searchKept,
} from './extensions/contract/server/spill-reader.ts'
export type { SpillSource } from './extensions/contract/server/spills.ts'
export type { Updates } from './extensions/contract/server/updates.ts'
export { asWanted } from './extensions/contract/server/want.ts'
export type { SettingReport, SettingSource } from './extensions/contract/setting-report.ts'
export type { Spilled, SpilledMatch, SpilledMatches } from './extensions/contract/spilled.ts'
export {
  badTerm,
  type CallTerms,
  callTermsOf,
  contractId,
  type LeftOut,
  type ResultTerms,
  type RetryHint,
  resultTermsOf,
  type Status,
  type StepReport,
  type Want,
  withResultTerms,
} from './extensions/contract/terms.ts'
export type { Concurrency, Effects, ToolTerms, Variation } from './extensions/contract/tool-terms.ts'
export type {
  EffectAttempt,
  EffectName,
  EffectState,
  EffectStore,
  StoredEffect,
} from './stores/effect-store.ts'
export { type EffectStoreLimits, MemoryEffectStore } from './stores/memory-effect-store.ts'
