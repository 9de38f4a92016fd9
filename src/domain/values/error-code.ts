/** The code that an error of the operating system or of a driver carries, such as `ENOENT`. */
export function findErrorCode(error: unknown): string | null {
  return error instanceof Error && "code" in error ? String(error.code) : null
}

export const hasErrorCode = (error: unknown, code: string) => findErrorCode(error) === code
