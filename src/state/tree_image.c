// Trees in images.
#include "state/capture.h"
#include "state/restore.h"

cosm_result cosmi_capture_tree(const struct capture *capture, struct world_image *image) {
    (void)capture;
    (void)image;
    return COSM_OK;
}

cosm_result cosmi_prepare_tree(struct restore *restore) {
    (void)restore;
    return COSM_OK;
}

void cosmi_restore_tree(struct restore *restore) {
    (void)restore;
}

void cosmi_cancel_tree(struct restore *restore) {
    (void)restore;
}

const char *cosmi_tree_image_fault(const struct world_image *image) {
    (void)image;
    return NULL;
}
