import { everyday, everydayConfined } from './chosen';
import { lookAround } from './look';

lookAround('every day', everyday);
lookAround('every day, confined', everydayConfined, true);
