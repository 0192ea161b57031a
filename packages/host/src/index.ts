export { StoreError, type StoreErrorCode } from './store/errors.ts'
