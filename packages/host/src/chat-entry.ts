/** A conversation between a person and a model that uses tools; the embedder brings the client and the model. */
export { Chat, type ChatOptions } from './chat/chat.ts'
export type { ChatLimits } from './chat/chat-limits.ts'
export { type ChatModel, sdkModel } from './chat/chat-model.ts'
export { argumentsIn } from './chat/complete-input.ts'
export type { CallResult, ChatEntry, PersonPart } from './chat/entry.ts'
export type { ChatEvent } from './chat/event.ts'
export { type ChatInput, readInput } from './chat/input.ts'
export type { ChatSkills, OfferedSkill, SkillContent } from './chat/offered-skills.ts'
export type { ServerInstructions } from './chat/server-instructions.ts'
export { trimRule } from './chat/trim.ts'
export { ModelError, type ModelErrorCode } from './model/model-error.ts'
export type {
  ModelContent,
  ModelReply,
  ModelRequest,
  ModelStop,
  ModelTool,
  ModelToolCall,
  TokenCount,
} from './model/model-request.ts'
export type { PaidReply } from './model/models.ts'
