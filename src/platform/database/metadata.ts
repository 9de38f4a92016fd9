/** Facts about the database by name, such as the canary of its master key. Stored in the table `marks`. */
export interface MetadataStore {
  find(name: string): Promise<string | null>
  /** Stores the value unless the name has one. Returns the stored value. */
  putIfAbsent(name: string, value: string): Promise<string>
  put(name: string, value: string): Promise<void>
  /** Like `put`, and deletes `removed` in the same transaction. */
  putInPlaceOf(name: string, value: string, removed: string): Promise<void>
  remove(name: string): Promise<void>
}
