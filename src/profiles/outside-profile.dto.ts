import 'reflect-metadata';
import { IsArray, IsIn, IsObject, Matches } from 'class-validator';
import type { Profile } from './profile.js';

/** A profile as a bank's own JSON file has it. {@link Profile} says what its members mean; `profileFaults` judges the rest. */
export class OutsideProfile implements Profile {
  /** Shown to operators in the log and in messages, and to TPPs in the published facts. */
  @Matches(/^[\w.-]{1,64}$/, { message: 'name must be 1 to 64 letters, digits, dots, dashes and underscores' })
  name!: string;
  @IsObject() endpoints!: Profile['endpoints'];
  @IsArray() refusedPermissions!: Profile['refusedPermissions'];
  @IsObject() accountSubTypes!: Profile['accountSubTypes'];
  @IsIn(['magnitude', 'signed']) amounts!: Profile['amounts'];
  @IsIn(['empty', 'expected']) pendingFields!: Profile['pendingFields'];
}
