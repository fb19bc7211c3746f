// A program of a user that records: built against the installed module.
#include <cosm/cosm.h>
#include <cosm_record/recorder.h>
#include <cosm_record/replay.h>
#include <stdio.h>

int main(void) {
    cosm_engine *engine = cosm_engine_create(NULL);
    cosm_batch *batch = cosm_batch_create(engine, NULL);
    cosm_recorder *recorder = cosm_recorder_create(batch, "consumer.cosmrec", NULL);
    bool done = cosm_batch_run(batch, 3) == COSM_OK && cosm_recorder_close(recorder) == COSM_OK;
    cosm_replay *replay = cosm_replay_open(engine, "consumer.cosmrec", NULL);
    done = done && cosm_replay_seek(replay, batch, 2) == COSM_OK;
    cosm_replay_close(replay);
    (void)remove("consumer.cosmrec");
    done = cosm_batch_destroy(batch) == COSM_OK && done;
    printf("%s\n", cosm_version());
    return cosm_engine_destroy(engine) == COSM_OK && done ? 0 : 1;
}
