/** The JSON Schemas of both formats, made from the zod schemas; resources/schema holds them for editors and other tools. */
import { z } from 'zod';
import { experimentSchema } from './experiment';
import { resultSchema } from './result';

const schemaText = (schema: z.ZodType, title: string): string =>
  `${JSON.stringify({ title, ...z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' }) }, null, 2)}\n`;

export const experimentJsonSchema = (): string => schemaText(experimentSchema, 'Swaplab experiment');
export const resultJsonSchema = (): string => schemaText(resultSchema, 'Swaplab result');
