import { studentIdSchema } from '#contract/students';
import { ApiError } from '#http/api-error';

export const unknownStudent = () => new ApiError(404, { message: '학생을 찾을 수 없습니다' });

/**
 * Parses a student number from a path.
 * @throws ApiError 404 if it is not well-formed
 */
export function studentId(text: string): string {
  const { data } = studentIdSchema.safeParse(text);
  if (data === undefined) throw unknownStudent();
  return data;
}
